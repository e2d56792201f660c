import assert from "node:assert/strict";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import * as vscode from "vscode";
import { planOf, transferFolders } from "../../src/features/transfers/plan.ts";
import { FilesClient } from "./client.ts";
import { patientTransport } from "./transport.ts";

const names = [
  "../../x",
  "..",
  ".",
  "",
  "/etc/passwd",
  "a/b",
  "c\0d",
  "..\\..\\y",
  "C:",
  "NUL",
  "trail.",
  "ok.txt",
  "OK.txt",
];

/** A content server whose folder `chosen` has items with names and paths that lead out of it. */
function hostileServer(written: string[]): Server {
  return createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url ?? "/", "http://x").pathname).replace(
      "/user/ada/w/api/contents",
      "",
    );
    const item = (name: string, fields: object = {}): object => ({
      name,
      path: "../../../escaped",
      type: "file",
      size: 3,
      format: "text",
      content: null,
      created: "2026-01-01T00:00:00.1Z",
      last_modified: "2026-01-01T00:00:00.2Z",
      writable: true,
      ...fields,
    });
    if (request.method !== "GET") {
      written.push(`${request.method} ${path}`);
    }
    const files = names.map((name) => item(name));
    const folders = [item("..", { type: "directory" }), item("../up", { type: "directory" })];
    const body =
      path === "/chosen"
        ? item("chosen", { type: "directory", format: "json", content: [...files, ...folders] })
        : path === "" || path === "/"
          ? item("", { type: "directory", format: "json", content: [item("chosen", { type: "directory" })] })
          : item(path.slice(path.lastIndexOf("/") + 1), { content: "bad" });
    response.setHeader("content-type", "application/json").end(JSON.stringify(body));
  });
}

describe("names of a hostile server", () => {
  const written: string[] = [];
  let server: Server;
  let client: FilesClient;

  before(async () => {
    server = hostileServer(written);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const place = { origin: `http://127.0.0.1:${port}`, prefix: "/user/ada/w/", token: "t0ken-for-tests" };
    client = await FilesClient.connect(place, { transport: patientTransport() });
  });
  after(async () => {
    client.dispose();
    await new Promise((resolve) => server.close(resolve));
  });

  it("aren't in the Explorer's list, from which the editor makes paths", async () => {
    const entries = await client.files.readDirectory(client.uri("chosen"));
    const expected = ["..\\..\\y", "C:", "NUL", "trail.", "ok.txt", "OK.txt"];
    assert.deepEqual(
      entries.map(([name]) => name),
      process.platform === "win32" ? expected.slice(1) : expected,
    );
  });

  for (const system of ["windows", "mac", "linux", "archive"] as const) {
    it(`never lead out of the target of a download (${system}), and the changed and skipped ones are named`, async () => {
      const target = vscode.Uri.parse("file:///home/ada/target");
      const plan = await planOf([client.uri("chosen")], target, transferFolders(client.files), system);
      const places = [...plan.folders, ...plan.files.map(({ to }) => to)].map(({ path }) => path);
      assert.equal(places.length, 7);
      for (const place of places) {
        assert.match(
          place,
          system === "linux" || system === "mac"
            ? /^\/home\/ada\/target\/chosen(\/[^/]+)?$/
            : /^\/home\/ada\/target\/chosen(\/[^/\\]+)?$/,
        );
        assert.doesNotMatch(place, /\/\.\.?(?:\/|$)/);
      }
      if (system === "windows") {
        assert.deepEqual(
          plan.renamed.map(({ newName }) => newName),
          ["..-..-y", "C-", "NUL_", "trail-", "OK (2).txt"],
        );
      }
      assert.equal(plan.skipped.length, 9);
      assert.equal(
        plan.files.every(({ from }) => from.authority === client.uri("").authority),
        true,
      );
    });
  }

  it("never lead out of the target of a copy on the server or to another workspace: nothing is copied", async () => {
    written.length = 0;
    await assert.rejects(client.files.copy(client.uri("chosen"), client.uri("copy"), { overwrite: false }));
    const other = vscode.Uri.parse(String(client.uri("copy")).replace("//", "//other-"));
    await assert.rejects(client.files.copy(client.uri("chosen"), other, { overwrite: true }), /Nothing was copied/);
    assert.equal(
      written.some((request) => !/^\w+ \/?(?:chosen|copy)?[^/]*$/.test(request)),
      false,
      written.join("\n"),
    );
  });
});
