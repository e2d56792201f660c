import assert from "node:assert/strict";
import { FileType, Uri } from "vscode";
import { PlatformError } from "../../../../src/api/http/errors.ts";
import { ConflictError, notFound } from "../../../../src/file-system/errors.ts";
import { operationError } from "../../../../src/file-system/provider/operation-errors.ts";
import { PlatformFileSystem } from "../../../../src/file-system/provider/platform-file-system.ts";
import { AccessError } from "../../../../src/tenants/access-obstacle.ts";
import { Connections } from "../../../../src/tenants/connections.ts";
import { readTenant, type Tenant } from "../../../../src/tenants/tenant.ts";
import { TenantRegistry } from "../../../../src/tenants/tenant-registry.ts";
import { TenantSecrets } from "../../../../src/tenants/tenant-secrets.ts";
import { StandInMemento, StandInSecrets } from "../../../harness/editor-stand-in/memory.ts";
import { editor, StandInDocument } from "../../../harness/editor-stand-in/vscode.ts";
import { fakePlatform, listLog } from "../../api/fake-platform.ts";

const connections = {
  nameOf: () => "Sales forecasting",
  tenant: () => ({ id: "acme", label: "Acme (EU)" }) as Tenant,
};

describe("blocked saves", () => {
  const load = () => {
    const uri = Uri.from({ scheme: "platform-contents", authority: "sales.acme", path: "/data/kept.py" });
    const refused = (cause: "tokenRefused" | 401): Error =>
      new PlatformError({
        kind: "crud",
        operationId: "contents.update",
        entity: "data/kept.py",
        failure: "Can't save data/kept.py",
        reason: "[here](https://evil.example)",
        cause: cause === 401 ? { type: "status", status: 401 } : { type: "tokenRefused", status: 403 },
      });
    const access = (type: "noToken" | "signedOut" | "stopped"): Error =>
      new AccessError(type, { tenantId: "acme", workspaceId: "sales" }, "Something is missing.");
    const document = new StandInDocument(uri, Buffer.from("kept = True"), false);
    return { uri, operationError, refused, access, document };
  };

  it("report in the editor's own message what is missing, with a link to provide it", () => {
    const { uri, operationError, refused, access, document } = load();
    editor.open(document);
    editor.setDirty(document, true);
    const workspace = { tenantId: "acme", workspaceId: "sales" };
    const cases = [
      [access("stopped"), "Unavailable", /Sales forecasting is stopped/, "platformWorkbench.startWorkspace", workspace],
      [
        access("noToken"),
        "NoPermissions",
        /there is no notebook token for Sales/,
        "platformWorkbench.setNotebookToken",
        workspace,
      ],
      [
        refused("tokenRefused"),
        "NoPermissions",
        /Sales forecasting is no longer valid/,
        "platformWorkbench.setNotebookToken",
        workspace,
      ],
      [
        access("signedOut"),
        "NoPermissions",
        /aren't signed in to Acme \(EU\)/,
        "platformWorkbench.signIn",
        { tenantId: "acme" },
      ],
      [
        refused(401),
        "NoPermissions",
        /Acme \(EU\) no longer accepts/,
        "platformWorkbench.signIn",
        { tenantId: "acme" },
      ],
    ] as const;
    for (const action of ["save", "look"] as const) {
      for (const [error, code, words, command, argument] of cases) {
        const told = operationError({ uri, action, error }, connections);
        assert.equal(told.code, code);
        assert.equal(String(told), told.message);
        assert.match(told.message, /^Can't save kept\.py: .*, and the file is saved automatically\.$/);
        assert.match(told.message, words);
        assert.doesNotMatch(told.message, /evil/);
        const [, linked, parameters = ""] = /\]\(command:([^?]+)\?([^)]+)\)/.exec(told.message) ?? [];
        assert.equal(linked, command);
        assert.deepEqual(JSON.parse(decodeURIComponent(parameters)), [argument]);
      }
    }
    editor.setDirty(document, false);
    const unchanged = (action: "save" | "look"): string =>
      operationError({ uri, action, error: access("stopped") }, connections).message;
    assert.match(unchanged("save"), /^Can't save kept\.py: Sales forecasting is stopped/);
    assert.equal(
      unchanged("look"),
      "Something is missing.",
      "a stat of a file without changes isn't always for a save",
    );
    editor.close(document);
  });

  it("omit the file's URI, and the error name if the editor quotes the message", () => {
    const { uri, operationError, access } = load();
    const missing = access("stopped");
    for (const [action, error, text] of [
      ["save", missing, "Unavailable (FileSystemError): Something is missing."],
      ["look", missing, "Something is missing."],
      ["read", missing, "Unavailable (FileSystemError): Something is missing."],
      ["change", missing, "Unavailable (FileSystemError): Something is missing."],
      ["look", notFound("data/kept.py"), "FileNotFound (FileSystemError): data/kept.py doesn't exist."],
    ] as const) {
      assert.equal(String(operationError({ uri, action, error }, connections)), text, action);
    }
  });

  it("don't turn a name into a link", () => {
    const { uri, operationError, access } = load();
    const evil = uri.with({ path: "/[Click me](command:workbench.action.quit).py" });
    const document = new StandInDocument(evil, Buffer.from(""), false);
    editor.open(document);
    editor.setDirty(document, true);
    const named = { ...connections, nameOf: () => "[Sales](command:workbench.action.quit)" };
    const { message } = operationError({ uri: evil, action: "save", error: access("stopped") }, named);
    assert.deepEqual(message.match(/\]\([^?]*/g), ["](command:platformWorkbench.startWorkspace"]);
    editor.setDirty(document, false);
    editor.close(document);
  });

  it("offer to merge, compare, or overwrite another version on the server", () => {
    const { uri, operationError } = load();
    const hostile = uri.with({ path: "/data/[Free](command:evil).ipynb" });
    const server = { lastModified: "2026-03-01T12:00:00Z", size: 12 };
    const error = new ConflictError("data/[Free](command:evil).ipynb", server);
    const document = new StandInDocument(hostile, Buffer.from("{}"), true);
    editor.open(document);
    const told = (): string => operationError({ uri: hostile, action: "save", error }, connections).message;
    assert.doesNotMatch(told(), /\]\(/, "a program's write has no editor to merge");
    editor.setDirty(document, true);
    const links = [...told().matchAll(/\[([^\]]+)\]\(command:([^?)]+)\?([^)]+)\)/g)];
    assert.deepEqual(
      links.map(([, label, command]) => [label, command]),
      [
        ["Merge", "platformWorkbench.mergeWithServer"],
        ["Compare", "platformWorkbench.compareWithServer"],
        ["Overwrite", "platformWorkbench.overwriteServerVersion"],
      ],
    );
    for (const [, , , parameters = ""] of links) {
      assert.deepEqual(JSON.parse(decodeURIComponent(parameters)), [{ file: hostile.toString() }]);
    }
    assert.match(told(), /^Can't save \[Free\] \(command:evil\)\.ipynb: it was changed on the server/);
    editor.setDirty(document, false);
    editor.close(document);
  });

  it("are only those of editors: other failures keep their own message", () => {
    const { uri, operationError, access } = load();
    const told = operationError({ uri, action: "save", error: access("noToken") }, connections);
    assert.equal(told.message, "Something is missing.");
    assert.equal(told.name, "NoPermissions (FileSystemError)");
  });

  it("are also tried in a folder without a cached listing, and only there", async () => {
    const memento = new StandInMemento();
    const baseUrl = "https://acme.example.com";
    const remembered = { name: "Sales", base: `${baseUrl}/user/a/b/`, tenant: baseUrl };
    await memento.update("workspaces", { "acme/sales": remembered });
    const registry = new TenantRegistry(memento);
    const read = readTenant({ id: "acme", label: "Acme", baseUrl }, "provided");
    assert.ok("tenant" in read);
    registry.provide(read.tenant);
    const { transport } = fakePlatform(() => assert.fail("nothing is sent while signed out"));
    const secrets = new TenantSecrets(new StandInSecrets());
    const signedOut = new Connections(registry, secrets, transport, memento, listLog([]), Promise.resolve());
    const files = new PlatformFileSystem(signedOut, memento, {});
    const failed: string[] = [];
    files.onDidFail(({ action, uri }) => failed.push(`${action} ${uri.path}`));
    const at = (path: string) => Uri.from({ scheme: "platform-contents", authority: "sales.acme", path });
    const document = new StandInDocument(at("/data/deep/kept.py"), Buffer.from("kept = True"), false);
    editor.open(document);
    await assert.rejects(files.stat(at("/data/deep")), /aren't signed in/, "nothing waits to be saved there");
    editor.setDirty(document, true);
    failed.length = 0;

    // The calls of the editor for a save.
    await assert.rejects(files.stat(document.uri), /Can't save kept\.py: .*\[Sign in\]/);
    for (const folder of ["/data/deep", "/data"]) {
      assert.equal((await files.stat(at(folder))).type, FileType.Directory);
    }
    await assert.rejects(
      files.writeFile(document.uri, document.bytes, { create: true, overwrite: true }),
      /Can't save kept\.py: you aren't signed in to Acme\. \[Sign in\]/,
    );
    assert.deepEqual(failed, ["look /data/deep/kept.py", "save /data/deep/kept.py"]);

    for (const other of ["/dat", "/data/deep/kept.py/x", "/other"]) {
      await assert.rejects(files.stat(at(other)), /aren't signed in/, other);
    }
    await assert.rejects(files.readDirectory(at("/data/deep")), /aren't signed in/);

    // A window that can't see its own folder would report that the workspace does not exist.
    failed.length = 0;
    const unknown = Uri.from({ scheme: "platform-contents", authority: "sales.elsewhere", path: "/" });
    for (const root of [at("/"), unknown]) {
      assert.equal((await files.stat(root)).type, FileType.Directory);
    }
    assert.deepEqual(failed, ["look /", "look /"]);
    await assert.rejects(files.readDirectory(at("/")), /aren't signed in/);
    await assert.rejects(files.readDirectory(unknown), /"elsewhere" isn't in the settings/);

    // The Explorer shows the name of the error for a file that it creates, which programs need.
    for (const [content, name] of [
      ["", ""],
      ["new = 1", "NoPermissions (FileSystemError)"],
    ] as const) {
      const writing = files.writeFile(at("/new.py"), Buffer.from(content), { create: true, overwrite: true });
      await assert.rejects(writing, { name });
    }
    editor.setDirty(document, false);
    editor.close(document);
    for (const part of [files, signedOut, secrets, registry]) part.dispose();
  });
});
