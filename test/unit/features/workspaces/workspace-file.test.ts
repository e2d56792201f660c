import assert from "node:assert/strict";
import { workspaceFile, workspaceFileSource } from "../../../../src/features/workspaces/workspace-file.ts";
import { documentAddressOf } from "../../../../src/ui/documents/document-address.ts";
import * as vscode from "../../../harness/editor-stand-in/vscode.ts";

const reference = { tenantId: "sample", workspaceId: "w-1" };
const uri = "platform-contents://w-1.sample/";
const onDisk = "file:///storage/workspaces/sample/w-1/Sales%20forecasting.code-workspace";
const inBrowser = "platform-documents://w-1.sample/workspace-file/Sales%20forecasting.code-workspace";
const written = { folders: [{ uri, name: "Sales forecasting" }] };

describe("the workspace file of a window", () => {
  const disk = new Map<string, string>();
  let open: (kind: "Desktop" | "Web", name?: string) => ReturnType<typeof workspaceFile>;
  let source: ReturnType<typeof workspaceFileSource>;
  let address: Parameters<typeof source.read>[0];

  before(() => {
    address = documentAddressOf(vscode.Uri.parse(inBrowser)) ?? assert.fail("the address of no document");
    const storage = vscode.Uri.file("/storage");
    Object.assign(vscode.workspace, {
      fs: {
        createDirectory: async () => {},
        readFile: async (file: object) => {
          const text = disk.get(String(file));
          if (text === undefined) throw vscode.FileSystemError.FileNotFound(String(file));
          return Buffer.from(text);
        },
        writeFile: async (file: object, content: Uint8Array) => {
          disk.set(String(file), Buffer.from(content).toString());
        },
      },
    });
    open = async (kind, name = "Sales forecasting") => {
      Object.assign(vscode.env, { uiKind: vscode.UIKind[kind] });
      return workspaceFile(storage, reference, name);
    };
    source = workspaceFileSource(storage);
  });
  beforeEach(() => disk.clear());
  after(() => {
    Object.assign(vscode.workspace, { fs: undefined });
    Object.assign(vscode.env, { uiKind: vscode.UIKind.Desktop });
  });

  it("is on the disk of a desktop editor, with the folder and its name", async () => {
    assert.equal(String(await open("Desktop")), onDisk);
    assert.deepEqual(JSON.parse(disk.get(onDisk) ?? ""), written);
  });

  it("is a document in a browser, which contains the same folder in any profile and on any server", async () => {
    assert.equal(String(await open("Web")), inBrowser);
    const text = String(await source.read(address, vscode.Uri.parse(inBrowser)));
    disk.clear();
    assert.equal(String(await source.read(address, vscode.Uri.parse(inBrowser))), text);
    assert.deepEqual(JSON.parse(text), written);
  });

  it("keeps the user's content, unless the folder is missing", async () => {
    const own = JSON.stringify({ ...written, settings: { "editor.tabSize": 8 } });
    await source.write(address, own, vscode.Uri.parse(inBrowser));
    await open("Web");
    assert.equal(await source.read(address, vscode.Uri.parse(inBrowser)), own);
    await source.write(address, '{ "folders": [] }', vscode.Uri.parse(inBrowser));
    await open("Desktop");
    assert.deepEqual(JSON.parse(disk.get(onDisk) ?? ""), written);
  });

  it("has a name without characters that are invalid in file names", async () => {
    assert.equal(String(await open("Web", "Q3/Q4: plan")), inBrowser.replace("Sales%20forecasting", "Q3-Q4-%20plan"));
    const text = disk.get(onDisk.replace("Sales%20forecasting", "Q3-Q4-%20plan"));
    assert.deepEqual(JSON.parse(text ?? ""), { folders: [{ uri, name: "Q3/Q4: plan" }] });
  });

  it("stays in the storage folder, whatever ids and titles servers and links have", async () => {
    const outside = { tenantId: "..", workspaceId: "../../x", key: "", kind: "workspace-file" };
    for (const title of ["../../../etc/x.code-workspace", "..", "..\\x", "CON"]) {
      await source.write({ ...outside, title }, "{}", vscode.Uri.parse(inBrowser));
    }
    assert.deepEqual(
      [...disk.keys()].filter((place) => !/^file:\/\/\/storage\/workspaces(\/[^/]+){3}$/.test(place)),
      [],
    );
  });

  it("is an error if the disk fails for any reason other than a missing file", async () => {
    Object.assign(vscode.workspace, { fs: { readFile: async () => assert.fail("the disk is gone") } });
    await assert.rejects(open("Desktop"), /the disk is gone/);
  });
});
