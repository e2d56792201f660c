import assert from "node:assert/strict";
import * as vscode from "vscode";
import { FileLinks } from "../../../../src/features/terminals/file-links.ts";
import type { WorkspaceTerminal } from "../../../../src/features/terminals/workspace-terminal.ts";

describe("links in a terminal", () => {
  const ours = {} as vscode.Terminal;
  const token = { isCancellationRequested: false } as vscode.CancellationToken;
  let asked: string[];

  function links(files: readonly string[]): (line: string, terminal?: vscode.Terminal) => Promise<readonly string[]> {
    const shown = { address: { tenantId: "one", workspaceId: "sales", name: "1" }, folder: "work" };
    const stat = async ({ path }: vscode.Uri): Promise<vscode.FileStat> => {
      asked.push(path);
      if (!files.includes(path)) throw new Error("missing");
      return { type: vscode.FileType.File, ctime: 0, mtime: 0, size: 1 };
    };
    const provider = new FileLinks(
      (terminal) => (terminal === ours ? (shown as unknown as WorkspaceTerminal) : undefined),
      { files: { stat } },
    );
    return async (line, terminal = ours) =>
      (await provider.provideTerminalLinks({ line, terminal }, token)).map(
        ({ startIndex, length, uri, line: number }) =>
          `${line.slice(startIndex, startIndex + length)} ${uri.toString()} ${number}`,
      );
  }

  beforeEach(() => {
    asked = [];
  });

  it("lead to existing files, first in the terminal's folder", async () => {
    const find = links(["/work/a.py", "/a.py", "/b.py"]);
    assert.deepEqual(await find("a.py:3 b.py c.py"), [
      "a.py:3 platform-contents://sales.one/work/a.py 3",
      "b.py platform-contents://sales.one/b.py undefined",
    ]);
  });

  it("lead to files with absolute names, and remember the root", async () => {
    const find = links(["/work/src/a.py", "/b.py"]);
    assert.deepEqual(await find('  File "/home/me/work/src/a.py", line 7, in f'), [
      'File "/home/me/work/src/a.py", line 7 platform-contents://sales.one/work/src/a.py 7',
    ]);
    asked = [];
    assert.equal((await find("/home/me/b.py")).length, 1);
    assert.deepEqual(asked, ["/b.py"]);
  });

  it("are not in other terminals", async () => {
    assert.deepEqual(await links(["/a.py"])("a.py", {} as vscode.Terminal), []);
    assert.deepEqual(asked, []);
  });
});
