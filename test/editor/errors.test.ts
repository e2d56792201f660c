import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import * as vscode from "vscode";
import { uriOf } from "../../src/tenants/workspace-uri.ts";
import type { FaultAction } from "../harness/proxy.ts";
import { ask, fileTenants, onDisk } from "./outside.ts";
import { pass, until } from "./time.ts";

interface Fault {
  readonly name: string;
  readonly action: FaultAction;
  readonly code: string;
  readonly words: RegExp;
}

const response = (
  status: number,
  body: object | string = { message: `made up ${status}`, reason: null },
): FaultAction => ({
  kind: "response",
  status,
  body: typeof body === "string" ? body : JSON.stringify(body),
  contentType: "application/json",
});

const faults: readonly Fault[] = [
  { name: "400", action: response(400), code: "Unavailable", words: /made up 400/ },
  { name: "403", action: response(403), code: "NoPermissions", words: /notebook token/ },
  { name: "404 in plain text", action: response(404, "No such file"), code: "FileNotFound", words: /doesn't exist/ },
  { name: "409", action: response(409), code: "FileExists", words: /made up 409/ },
  { name: "500", action: response(500), code: "Unavailable", words: /made up 500/ },
  { name: "503", action: response(503), code: "Unavailable", words: /made up 503/ },
  { name: "a page for people", action: { kind: "html" }, code: "Unavailable", words: /web page/ },
  { name: "a 404 page of a gateway", action: { kind: "html", status: 404 }, code: "Unavailable", words: /web page/ },
  { name: "half a JSON", action: { kind: "half-body" }, code: "Unavailable", words: /isn't valid JSON|was lost/ },
  {
    name: "a redirect elsewhere",
    action: { kind: "redirect", location: "https://elsewhere.example/" },
    code: "Unavailable",
    words: /elsewhere\.example/,
  },
  {
    name: "a redirect to a login page",
    action: { kind: "redirect", location: "/hub/login?next=x" },
    code: "NoPermissions",
    words: /token/,
  },
  { name: "a reset connection", action: { kind: "cut", when: "before" }, code: "Unavailable", words: /connection/ },
];

for (const tenant of fileTenants) {
  describe(`10. errors of a read on tenant ${tenant.tenantId}`, () => {
    const uri = uriOf(tenant.tenantId, tenant.workspaceId, "errors/faulty.txt");

    before(async () => {
      await vscode.workspace.fs.createDirectory(uriOf(tenant.tenantId, tenant.workspaceId, "errors"));
      await writeFile(`${tenant.root}/errors/faulty.txt`, "sound\n");
    });
    afterEach(async () => {
      await ask(tenant, { type: "clearFaults" });
      await vscode.commands.executeCommand("notifications.clearAll");
    });

    for (const fault of faults) {
      it(`${fault.name} is ${fault.code}, with the path and the server's message`, async () => {
        await ask(tenant, {
          type: "fault",
          rule: { match: { path: `${tenant.contentPath}api/contents/errors/faulty` }, action: fault.action },
        });
        await assert.rejects(Promise.resolve(vscode.workspace.fs.readFile(uri)), (error: unknown) => {
          assert.ok(error instanceof vscode.FileSystemError, String(error));
          assert.equal(error.code, fault.code, error.message);
          assert.match(error.message, fault.words);
          assert.match(error.message, /faulty\.txt/);
          assert.doesNotMatch(error.message, /platform-contents:/);
          for (const secret of tenant.secrets) {
            assert.ok(!`${error.message}${error.stack}`.includes(secret));
          }
          return true;
        });
        await ask(tenant, { type: "clearFaults" });
        pass(100);
        assert.equal(Buffer.from(await vscode.workspace.fs.readFile(uri)).toString(), "sound\n");
      });
    }

    it("a failed check of the server's version fails the save with an error, and nothing is overwritten", async () => {
      const document = await vscode.workspace.openTextDocument(uri);
      await vscode.window.showTextDocument(document);
      const edit = new vscode.WorkspaceEdit();
      edit.insert(uri, new vscode.Position(0, 0), "edited ");
      await vscode.workspace.applyEdit(edit);
      await writeFile(`${tenant.root}/errors/faulty.txt`, "theirs\n");
      pass(1_200);
      await ask(tenant, {
        type: "fault",
        rule: {
          match: { method: "GET", path: `${tenant.contentPath}api/contents/errors/faulty` },
          action: response(500),
        },
      });
      assert.equal(await document.save(), false);
      assert.equal(document.isDirty, true);
      await ask(tenant, { type: "clearFaults" });
      assert.equal((await onDisk(tenant, "errors/faulty.txt")).toString(), "theirs\n");
      await vscode.commands.executeCommand("workbench.action.files.revert");
      await until("the server's version in the editor", () => document.getText() === "theirs\n");
      await vscode.commands.executeCommand("workbench.action.closeActiveEditor");
    });

    it("reports URIs without a workspace or with an unknown tenant", async () => {
      const nobody = vscode.Uri.parse("platform-contents://4f7c21aa-90d3-4b6e-8a51-2e6d0b9f3c10.nobody/a.txt");
      await assert.rejects(
        Promise.resolve(vscode.workspace.fs.readFile(nobody)),
        /tenant "nobody" isn't in the settings/,
      );
      const nothing = uriOf(tenant.tenantId, "00000000-0000-0000-0000-000000000000", "a.txt");
      await assert.rejects(Promise.resolve(vscode.workspace.fs.readFile(nothing)), /a\.txt doesn't exist\./);
    });
  });
}
