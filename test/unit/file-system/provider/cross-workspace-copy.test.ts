import assert from "node:assert/strict";
import type * as Editor from "vscode";
import type { ContentItem } from "../../../../src/api/catalogue/models/contents.ts";
import type { LeftOut } from "../../../../src/api/content-server/folder-walk.ts";
import { copyToOtherWorkspace } from "../../../../src/file-system/provider/cross-workspace-copy.ts";
import * as vscode from "../../../harness/editor-stand-in/vscode.ts";
import { until } from "../../../harness/until.ts";

describe("copying to another workspace", () => {
  const from = "platform-contents://w-1.acme/reports";
  const to = "platform-contents://w-2.acme/reports";
  const folders: Readonly<Record<string, readonly string[]>> = { "/reports": ["a.txt", "b"], "/reports/b": ["c.txt"] };

  /** Files of a workspace with two folders. */
  function parts(onRead: (path: string) => Promise<void> = async () => {}, leftOut: readonly LeftOut[] = []) {
    const items = (path: string): readonly ContentItem[] => {
      const children = folders[path];
      const item: ContentItem = {
        name: path.slice(path.lastIndexOf("/") + 1),
        path: path.slice(1),
        type: children === undefined ? "file" : "directory",
      };
      return [item, ...(children ?? []).flatMap((name) => items(`${path}/${name}`))];
    };
    const made: string[] = [];
    const files = {
      readFile: async ({ path }: Editor.Uri) => {
        await onRead(path);
        return Buffer.from(path);
      },
      writeFile: async ({ authority, path }: Editor.Uri, bytes: Uint8Array) => {
        made.push(`${authority}${path}: ${Buffer.from(bytes)}`);
      },
      createDirectory: async ({ authority, path }: Editor.Uri) => {
        made.push(`${authority}${path}`);
      },
      listTree: async ({ path }: Editor.Uri) => ({ items: items(path), leftOut }),
    };
    const copy = (source = from): Promise<void> =>
      copyToOtherWorkspace(files as never, vscode.Uri.parse(source) as never, vscode.Uri.parse(to) as never, {
        overwrite: false,
      });
    return { made, copy };
  }

  it("copies a file, and a folder with everything in it", async () => {
    const { made, copy } = parts();
    await copy();
    assert.deepEqual(made, [
      "w-2.acme/reports",
      "w-2.acme/reports/a.txt: /reports/a.txt",
      "w-2.acme/reports/b",
      "w-2.acme/reports/b/c.txt: /reports/b/c.txt",
    ]);
  });

  it("shows progress if it takes a while, and can be canceled: copied files remain, and the message counts them", async () => {
    const gate = Promise.withResolvers<void>();
    const { made, copy } = parts(() => gate.promise);
    const cancel = new vscode.EventEmitter<void>();
    const shown: string[] = [];
    const before = vscode.window.withProgress;
    Object.assign(vscode.window, {
      withProgress: (options: Editor.ProgressOptions, task: (...given: readonly unknown[]) => Promise<unknown>) => {
        shown.push(options.title ?? "");
        return task(
          { report: ({ message }: { readonly message: string }) => shown.push(message) },
          { onCancellationRequested: cancel.event },
        );
      },
    });
    try {
      const copying = copy();
      await until("the progress", () => shown.length === 2);
      cancel.fire();
      gate.resolve();
      await assert.rejects(copying, /Copying reports was canceled\. 1 file copied\./);
      assert.deepEqual(shown, ["Copying reports", "0 files copied", "1 file copied"]);
      assert.deepEqual(made, ["w-2.acme/reports", "w-2.acme/reports/a.txt: /reports/a.txt"]);
    } finally {
      Object.assign(vscode.window, { withProgress: before });
    }
  });

  it("copies nothing if the folder has a link out of it, or an item whose name can't be used", async () => {
    const { made, copy } = parts(undefined, [{ type: "cycle", path: "reports/up", reason: "it seems to be a link" }]);
    await assert.rejects(
      copy(),
      /Can't copy reports\. Nothing was copied, because of reports\/up: it seems to be a link\./,
    );
    assert.deepEqual(made, []);
  });
});
