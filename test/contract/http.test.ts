import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { getContent, updateContent } from "../../src/api/catalogue/operations/contents.ts";
import { getSettings, startInstance, updateWorkspace } from "../../src/api/catalogue/operations/workspaces.ts";
import { updateBodyFor } from "../../src/api/content-server/content-types.ts";
import { readWorkspacePage } from "../../src/api/families/workspaces.ts";
import { NotebookToken } from "../../src/api/http/credentials.ts";
import { createTransport, type TransportRequest } from "../../src/api/http/transport.ts";
import { TransportError } from "../../src/api/http/transport-errors.ts";
import { freePort } from "../harness/free-port.ts";
import { perDialect } from "./tenant.ts";

perDialect("HTTP", "faults on the way", (current) => {
  it("doesn't follow redirects, and sends nothing to the other server", async () => {
    const heard: string[] = [];
    const elsewhere = createServer((request, response) => {
      heard.push(request.url ?? "");
      response.end("{}");
    });
    await new Promise<void>((resolve) => elsewhere.listen(0, "127.0.0.1", resolve));
    const { port } = elsewhere.address() as AddressInfo;
    const origin = `http://127.0.0.1:${port}`;
    try {
      for (const status of [301, 302, 303, 307, 308] as const) {
        const action = { kind: "redirect", location: `${origin}/page?x=1`, status } as const;
        const failure = await current().broken(action, () =>
          current().failure(current().platform().call(getSettings, {})),
        );
        assert.deepEqual(failure.failureCause, { type: "redirected", status, origin });
        assert.equal(failure.kind, "retrieval");
        const save = await current().broken(action, () =>
          current().failure(
            current()
              .content()
              .call(updateContent, { path: "a", body: { type: "file", format: "text", content: "x" } }),
          ),
        );
        assert.deepEqual([save.kind, save.failureCause.type], ["crud", "redirected"]);
      }
    } finally {
      await new Promise((resolve) => elsewhere.close(resolve));
    }
    assert.deepEqual(heard, []);
  });

  it("retries a read whose connection breaks until it succeeds", async () => {
    for (const when of ["before", "during", "after"] as const) {
      const before = current().proxy.requests.length;
      const item = await current().broken(
        { kind: "cut", when },
        () => current().content().call(getContent, { path: "README.md" }),
        { times: 2 },
      );
      assert.equal(item.name, "README.md");
      assert.equal(current().proxy.requests.length - before, 3, when);
    }
  });

  it("reports a read that always fails with the server's name", async () => {
    const failure = await current().broken({ kind: "cut", when: "during" }, () =>
      current().failure(current().content().call(getContent, { path: "README.md" })),
    );
    assert.equal(failure.kind, "retrieval");
    assert.equal(failure.failureCause.type === "network" && failure.failureCause.reachedServer, true);
    assert.match(failure.message, /the connection to http:\/\/127\.0\.0\.1:\d+ was lost/);
  });

  it("never retries a change whose connection breaks", async () => {
    for (const when of ["before", "during", "after"] as const) {
      const before = current().proxy.requests.length;
      const work = () =>
        current()
          .platform()
          .call(updateWorkspace, { workspaceId: current().running.id, body: { name: "x" } });
      const failure = await current().broken({ kind: "cut", when }, () => current().failure(work()));
      assert.deepEqual([failure.kind, failure.failureCause.type], ["crud", "network"]);
      assert.equal(current().proxy.requests.length - before, 1, when);
    }
  });

  it("reports a truncated response as an error", async () => {
    const failure = await current().broken({ kind: "half-body" }, () =>
      current().failure(current().content().call(getContent, { path: "README.md" })),
    );
    assert.equal(failure.failureCause.type, "notJson");
  });

  it("reports a sign-in page as a web page, regardless of its status", async () => {
    for (const status of [200, 404]) {
      const failure = await current().broken({ kind: "html", status }, () =>
        current().failure(current().platform().call(getSettings, {})),
      );
      assert.equal(failure.failureCause.type, "notJson");
      assert.match(failure.message, /web page/);
    }
  });

  it("retries reads after 503, with at most four attempts", async () => {
    const before = current().proxy.requests.length;
    await current().broken({ kind: "response", status: 503 }, () => current().platform().call(getSettings, {}), {
      times: 3,
    });
    assert.equal(current().proxy.requests.length - before, 4);
    const failure = await current().broken({ kind: "response", status: 503 }, () =>
      current().failure(current().platform().call(getSettings, {})),
    );
    assert.equal(failure.status, 503);
    assert.equal(current().proxy.requests.length - before, 8);
  });

  it("retries the POST of a search, which is a read, but no other POST", async () => {
    const fault = { kind: "response", status: 503 } as const;
    const before = current().proxy.requests.length;
    const search = () => readWorkspacePage(current().platform(), { limit: 50, offset: 0 });
    assert.equal((await current().broken(fault, search, { times: 2 })).items.length, 12);
    assert.equal(current().proxy.requests.length - before, 3);
    const start = () => current().platform().call(startInstance, { workspaceId: current().running.id });
    await current().broken(fault, () => current().failure(start()));
    assert.equal(current().proxy.requests.length - before, 4);
  });

  it("doesn't store a server's cookies", async () => {
    const headers = { "set-cookie": "_xsrf=cookie-value-0123456789; Path=/", "x-kept": "yes" };
    const fault = { kind: "response", status: 418, body: "{}", headers } as const;
    const failure = await current().broken(fault, () => current().failure(current().platform().call(getSettings, {})));
    assert.deepEqual(
      [failure.response?.headers["x-kept"], failure.response?.headers["set-cookie"]],
      ["yes", undefined],
    );
    const response = await current().broken(fault, () => current().platform().raw(getSettings, {}));
    assert.equal(response.headers["set-cookie"], undefined);
    assert.equal(current().shown.join("\n").includes("cookie-value"), false);
  });

  it("reports an unreachable server with its address", async () => {
    const url = `http://127.0.0.1:${await freePort()}`;
    const failure = await current().failure(current().platform("any-platform-token", url).call(getSettings, {}));
    assert.deepEqual(failure.failureCause, { type: "network", code: "ECONNREFUSED", reachedServer: false });
    assert.match(failure.message, new RegExp(`${url} can't be reached \\(ECONNREFUSED\\)\\. Check the network`));
  });

  it("reports HTTPS to an HTTP server immediately, and sends nothing", async () => {
    const url = current().proxy.url.replace("http:", "https:");
    const before = current().shown.length;
    const failure = await current().failure(current().platform("any-platform-token", url).call(getSettings, {}));
    assert.equal(failure.failureCause.type === "network" && failure.failureCause.reachedServer, false, failure.message);
    const tries = current()
      .shown.slice(before)
      .filter((line) => line.startsWith("info GET"));
    assert.equal(tries.length, 1, failure.message);
  });

  it("ends a request to an unresponsive server at the time limit", async () => {
    const url = new URL(current().proxy.url);
    const request: TransportRequest = {
      method: "GET",
      url,
      credential: new NotebookToken(url.origin, "any-notebook-token"),
      header: { name: "authorization", template: "token {token}" },
      headers: {},
      body: undefined,
      repeat: "repeatable",
      timeLimitMs: 150,
      transfer: false,
      signal: undefined,
      maximumBytes: 1024,
    };
    const transport = createTransport({ log: current().log });
    try {
      await current().broken({ kind: "hang" }, () =>
        assert.rejects(transport.send(request), (error) => {
          assert.deepEqual(error instanceof TransportError && error.failure, {
            type: "timeLimit",
            milliseconds: 150,
          });
          return true;
        }),
      );
    } finally {
      await transport.close();
    }
  });

  it("ends a read immediately when it is canceled", async () => {
    const stop = new AbortController();
    const failure = await current().broken({ kind: "hang", onHang: () => stop.abort() }, () =>
      current().failure(current().content().call(getContent, { path: "" }, { signal: stop.signal })),
    );
    assert.deepEqual(failure.failureCause, { type: "cancelled" });
  });

  it("reports the progress of bytes, and returns them unchanged", async () => {
    const bytes = Uint8Array.from({ length: 300_000 }, (_, index) => (index * 7919) % 256);
    await current()
      .content()
      .call(updateContent, { path: "big.bin", body: updateBodyFor("big.bin", bytes) });
    const progress: number[] = [];
    const item = await current()
      .content()
      .call(getContent, { path: "big.bin", format: "base64" }, { onReceived: (received) => progress.push(received) });
    assert.equal(Buffer.compare(Buffer.from(String(item.content), "base64"), bytes), 0);
    assert.equal(
      progress.length > 1 && progress.every((received, index) => received > (progress[index - 1] ?? 0)),
      true,
    );
  });

  it("sends many concurrent reads over eight connections", async () => {
    let connections = 0;
    const server = createServer((_, response) => response.end("{}")).on("connection", () => {
      connections += 1;
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    try {
      const client = current().platform("any-platform-token", `http://127.0.0.1:${port}`);
      const responses = await Promise.all(Array.from({ length: 40 }, () => client.raw(getSettings, {})));
      assert.deepEqual(
        responses.map(({ status }) => status),
        responses.map(() => 200),
      );
      assert.equal(connections, 8);
    } finally {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  });
});
