import assert from "node:assert/strict";
import { Uri } from "vscode";
import { pageOfCallback, readWindowLink, windowLink } from "../../../../src/features/navigation/window-links.ts";

const commit = "53c2f3253bcf32886706fc023e794bbeb253c90f";

describe("links of a browser-hosted editor", () => {
  const found = (text: string) => {
    const read = readWindowLink(text);
    return read && { ...read, file: read.file?.toString() };
  };

  it("begin with the address of the editor's server, with or without a path", () => {
    for (const [callback, page] of [
      [`http://127.0.0.1:8080/stable-${commit}/callback?vscode-reqid=1&vscode-path=/x`, "http://127.0.0.1:8080/"],
      [`https://example.com/code/stable-${commit}/callback?vscode-reqid=1`, "https://example.com/code/"],
      [`https://example.com/oss-${commit}/callback`, "https://example.com/"],
      ["https://name.example.com/extension-auth-callback?state=1", undefined],
      ["https://example.com/callback", undefined],
      [`https://example.com/stable-${commit}/callback/x`, undefined],
      ["https://example.com/stable-1/callback", undefined],
      ["vscode://platform-workbench.platform-workbench", undefined],
      ["https:", undefined],
    ] as const) {
      assert.equal(pageOfCallback(callback)?.href, page, callback);
    }
  });

  it("contain a workspace, and a file with any name", () => {
    const page = new URL("https://example.com/code/");
    const target = { tenantId: "acme", workspaceId: "sales", name: "Sales: Q3/Q4 é" };
    const workspace = windowLink(page, target);
    const file = Uri.parse(new URL(workspace).searchParams.get("workspace") ?? "", true);
    // The editor names the window after the file.
    assert.equal(file.path, "/workspace-file/Sales- Q3-Q4 é.code-workspace");
    assert.deepEqual(found(workspace), { tenantId: "acme", workspaceId: "sales", file: undefined });
    for (const path of ["kept.py", "data/a b&c=d#e?.py", 'quo"te.py', "é/%41.txt"]) {
      const link = windowLink(page, { ...target, path });
      assert.ok(link.startsWith("https://example.com/code/?workspace="));
      assert.equal(readWindowLink(link)?.file?.path, `/${path}`);
    }
  });

  it("with only the folder are read, too", () => {
    const link = "https://example.com/?folder=platform-contents://sales.acme/";
    assert.deepEqual(found(link), { tenantId: "acme", workspaceId: "sales", file: undefined });
  });

  it("in another format are rejected", () => {
    const folder = "folder=platform-contents://sales.acme/";
    for (const text of [
      "https://example.com/",
      "https://example.com/?folder=/home/alice",
      "https://example.com/?folder=platform-contents://sales/",
      "https://example.com/?folder=platform-contents:",
      "https://example.com/?workspace=/home/alice/a.code-workspace",
      "https://example.com/?workspace=platform-documents://sales.acme/configuration/a.json",
      "https://example.com/?workspace=platform-documents://sales/workspace-file/a.code-workspace",
      "https://example.com/?workspace=platform-documents://.acme/workspace-file/a.code-workspace",
      "https://example.com/?workspace=platform-documents:",
      "javascript:alert(1)?folder=platform-contents://sales.acme/",
      `https://example.com/?${folder}&x=${"x".repeat(20_000)}`,
      "not an address",
    ]) {
      assert.equal(found(text), undefined, text);
    }
    const alone = { tenantId: "acme", workspaceId: "sales", file: undefined };
    for (const payload of [
      "",
      "no JSON",
      "{}",
      "[[]]",
      '[["openFile", 1]]',
      '[["openFile", "file:///etc/passwd"]]',
      '[["openFile", "platform-contents://other.acme/a.py"]]',
      '[["other", "platform-contents://sales.acme/a.py"]]',
    ]) {
      const link = `https://example.com/?${folder}&payload=${encodeURIComponent(payload)}`;
      assert.deepEqual(found(link), alone, payload);
    }
  });
});
