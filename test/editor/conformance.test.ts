import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import * as vscode from "vscode";
import { uriOf } from "../../src/tenants/workspace-uri.ts";
import { fileTenants, onDisk } from "./outside.ts";
import { until } from "./time.ts";

const files = vscode.workspace.fs;
const bytes = (text: string): Uint8Array => Buffer.from(text, "utf8");

async function code(work: PromiseLike<unknown>): Promise<string> {
  try {
    await work;
    return "no error";
  } catch (error) {
    assert.ok(error instanceof vscode.FileSystemError, String(error));
    return error.code;
  }
}

for (const tenant of fileTenants) {
  describe(`the file system over tenant ${tenant.tenantId}`, () => {
    const root = "conformance";
    const at = (path: string): vscode.Uri =>
      uriOf(tenant.tenantId, tenant.workspaceId, path === "" ? root : `${root}/${path}`);

    before(() => files.createDirectory(at("")));
    after(() => files.delete(at(""), { recursive: true }));

    describe("1. stat", () => {
      it("returns the type, size, and times of a file and of a directory", async () => {
        await files.writeFile(at("stat.txt"), bytes("12345"));
        const file = await files.stat(at("stat.txt"));
        assert.equal(file.type, vscode.FileType.File);
        assert.equal(file.size, 5);
        assert.ok(Math.abs(file.mtime - Date.now()) < 60_000 && file.ctime > 0);
        assert.equal(file.permissions, undefined);
        assert.equal((await files.stat(at(""))).type, vscode.FileType.Directory);
      });

      it("throws FileNotFound for a missing item, and returns a stable time for the root", async () => {
        assert.equal(await code(files.stat(at("missing.txt"))), "FileNotFound");
        assert.equal(await code(files.stat(at("missing/deep/er.txt"))), "FileNotFound");
        const workspace = uriOf(tenant.tenantId, tenant.workspaceId);
        const first = await files.stat(workspace);
        assert.equal(first.type, vscode.FileType.Directory);
        assert.equal((await files.stat(workspace)).mtime, first.mtime);
      });
    });

    describe("2. readDirectory", () => {
      it("returns exact names and types, without hidden items", async () => {
        await mkdir(`${tenant.root}/${root}/list/inner`, { recursive: true });
        for (const name of ["a.txt", "b.ipynb", ".hidden", "c.pyc"]) {
          await writeFile(`${tenant.root}/${root}/list/${name}`, "{}");
        }
        const entries = await files.readDirectory(at("list"));
        assert.deepEqual(
          entries.sort(([a], [b]) => a.localeCompare(b)),
          [
            ["a.txt", vscode.FileType.File],
            ["b.ipynb", vscode.FileType.File],
            ["inner", vscode.FileType.Directory],
          ],
        );
        // Content servers omit these from listings, although they exist.
        assert.equal((await files.stat(at("list/c.pyc"))).size, 2);
      });

      it("rejects a missing item and a file", async () => {
        assert.equal(await code(files.readDirectory(at("missing"))), "FileNotFound");
        assert.equal(await code(files.readDirectory(at("list/a.txt"))), "FileNotADirectory");
      });
    });

    describe("3. readFile", () => {
      const all = Uint8Array.from({ length: 256 }, (_, index) => index);
      const samples: Readonly<Record<string, Uint8Array>> = {
        "text.txt": bytes("grüße\n"),
        "bom.txt": Uint8Array.from([0xef, 0xbb, 0xbf, 0x61]),
        "crlf.txt": bytes("a\r\nb\r\n"),
        "empty.txt": new Uint8Array(),
        "all.bin": all,
        "invalid.txt": Uint8Array.from([0x61, 0xff, 0xfe]),
        "broken.ipynb": bytes('{"cells": ['),
      };

      it("returns every byte, even in parallel reads", async () => {
        await files.createDirectory(at("bytes"));
        for (const [name, content] of Object.entries(samples)) {
          await writeFile(`${tenant.root}/${root}/bytes/${name}`, content);
        }
        const reads = await Promise.all(
          Object.keys(samples).map(async (name) => [name, await files.readFile(at(`bytes/${name}`))] as const),
        );
        for (const [name, content] of reads) {
          assert.deepEqual(Buffer.from(content), Buffer.from(samples[name] ?? []), name);
        }
      });

      it("rejects a missing item and a directory", async () => {
        assert.equal(await code(files.readFile(at("bytes/missing.txt"))), "FileNotFound");
        assert.equal(await code(files.readFile(at("bytes"))), "FileIsADirectory");
      });
    });

    describe("4. writeFile", () => {
      it("rejects a missing parent and a directory", async () => {
        assert.equal(await code(vscode.workspace.fs.writeFile(at("bytes"), bytes("x"))), "FileIsADirectory");
      });

      it("preserves the bytes of an invalid notebook, and the values of a valid one", async () => {
        await files.writeFile(at("broken2.ipynb"), bytes('{"a": 1, }'));
        assert.equal((await onDisk(tenant, `${root}/broken2.ipynb`)).toString(), '{"a": 1, }');
        const notebook = '{"cells":[],"metadata":{"id":9007199254740993,"f":1.0},"nbformat":4,"nbformat_minor":5}';
        await files.writeFile(at("values.ipynb"), bytes(notebook));
        const text = Buffer.from(await files.readFile(at("values.ipynb"))).toString();
        assert.match(text, /9007199254740993/);
        assert.match(text, /1\.0/);
      });

      it("serializes 20 writes to the same file", async () => {
        const texts = Array.from({ length: 20 }, (_, index) => `${index}`.repeat(1000));
        await Promise.all(texts.map((text) => files.writeFile(at("twenty.txt"), bytes(text))));
        assert.equal((await onDisk(tenant, `${root}/twenty.txt`)).toString(), texts.at(-1), "the last one stays");
      });
    });

    describe("5. createDirectory", () => {
      it("creates all missing parents, and doesn't change existing directories", async () => {
        await files.createDirectory(at("made/deep/er"));
        assert.equal((await files.stat(at("made/deep/er"))).type, vscode.FileType.Directory);
        await Promise.allSettled([files.createDirectory(at("raced/one")), files.createDirectory(at("raced/two"))]);
        assert.equal((await files.readDirectory(at("raced"))).length, 2);
        const left = (await files.readDirectory(at(""))).map(([name]) => name).filter((name) => /untitled/i.test(name));
        assert.deepEqual(left, []);
      });

      it("rejects the name of an existing file", async () => {
        await files.writeFile(at("taken.txt"), bytes("x"));
        assert.equal(await code(files.createDirectory(at("taken.txt"))), "FileExists");
      });
    });

    describe("6. delete", () => {
      it("deletes a file, and rejects a missing one", async () => {
        await files.writeFile(at("gone.txt"), bytes("x"));
        await files.delete(at("gone.txt"));
        assert.equal(await code(files.stat(at("gone.txt"))), "FileNotFound");
        assert.equal(await code(files.delete(at("gone.txt"))), "FileNotFound");
      });

      it("rejects a nonempty folder unless recursive, and leaves it complete", async () => {
        await files.writeFile(at("full/leaf.txt"), bytes("leaf"));
        await files.writeFile(at("full/deep/leaf.txt"), bytes("leaf"));
        assert.equal(await code(files.delete(at("full"), { recursive: false })), "NoPermissions");
        assert.equal((await onDisk(tenant, `${root}/full/deep/leaf.txt`)).toString(), "leaf");
        await files.delete(at("full"), { recursive: true });
        assert.equal(await code(files.stat(at("full"))), "FileNotFound");
      });
    });

    describe("7. rename and copy", () => {
      it("renames a file and a folder, and replaces an existing item only with overwrite", async () => {
        await files.writeFile(at("r1.txt"), bytes("one"));
        await files.writeFile(at("r2.txt"), bytes("two"));
        assert.equal(await code(files.rename(at("r1.txt"), at("r2.txt"), { overwrite: false })), "FileExists");
        await files.rename(at("r1.txt"), at("r2.txt"), { overwrite: true });
        assert.equal(Buffer.from(await files.readFile(at("r2.txt"))).toString(), "one");
        await files.writeFile(at("folder/x.txt"), bytes("x"));
        await files.rename(at("folder"), at("moved folder"));
        assert.equal(Buffer.from(await files.readFile(at("moved folder/x.txt"))).toString(), "x");
        assert.equal(await code(files.rename(at("nothing.txt"), at("something.txt"))), "FileNotFound");
        await files.rename(at("r2.txt"), at("R2.txt"));
        assert.deepEqual(
          (await files.readDirectory(at(""))).map(([name]) => name).filter((name) => /^r2/i.test(name)),
          ["R2.txt"],
        );
        assert.notEqual(await code(files.rename(at("moved folder"), at("moved folder/inside"))), "no error");
      });

      it("copies to exactly the requested name", async () => {
        await files.writeFile(at("c1.txt"), bytes("one"));
        await files.copy(at("c1.txt"), at("c2.txt"));
        assert.equal(Buffer.from(await files.readFile(at("c2.txt"))).toString(), "one");
        assert.equal(await code(files.copy(at("c1.txt"), at("c2.txt"), { overwrite: false })), "FileExists");
        await files.writeFile(at("c1.txt"), bytes("other"));
        await files.copy(at("c1.txt"), at("c2.txt"), { overwrite: true });
        assert.equal(Buffer.from(await files.readFile(at("c2.txt"))).toString(), "other");
        await files.writeFile(at("tree/leaf.txt"), bytes("leaf"));
        await files.copy(at("tree"), at("tree of another name"));
        assert.equal(Buffer.from(await files.readFile(at("tree of another name/leaf.txt"))).toString(), "leaf");
      });
    });

    describe("8. events", () => {
      it("reports each of its own changes once, after the cache was updated", async () => {
        const watcher = vscode.workspace.createFileSystemWatcher(
          new vscode.RelativePattern(uriOf(tenant.tenantId, tenant.workspaceId, root), "**/event*.txt"),
        );
        const told: string[] = [];
        let changes = 0;
        const take = (word: string) => (uri: vscode.Uri) => told.push(`${word} ${uri.path.split("/").pop()}`);
        watcher.onDidCreate(take("created"));
        watcher.onDidChange(take("changed"));
        watcher.onDidDelete(take("deleted"));
        /** The events of one change. An event that is reported twice appears twice. */
        const toldOf = async (work: PromiseLike<unknown>, count: number): Promise<readonly string[]> => {
          await work;
          await until(`${count} events`, () => told.length >= count);
          changes += 1;
          const next = `event-after-${changes}.txt`;
          await files.writeFile(at(next), bytes("next"));
          // Events arrive in order.
          await until("the event of the next change", () => told.includes(`created ${next}`));
          return told
            .splice(0)
            .filter((one) => one !== `created ${next}`)
            .toSorted();
        };
        try {
          assert.deepEqual(await toldOf(files.writeFile(at("event.txt"), bytes("1")), 1), ["created event.txt"]);
          const before = await files.stat(at("event.txt"));
          assert.deepEqual(await toldOf(files.writeFile(at("event.txt"), bytes("22")), 1), ["changed event.txt"]);
          const after = await files.stat(at("event.txt"));
          assert.ok(after.mtime > before.mtime);
          assert.equal(after.size, 2);
          assert.deepEqual(await toldOf(files.rename(at("event.txt"), at("event2.txt")), 2), [
            "created event2.txt",
            "deleted event.txt",
          ]);
          assert.deepEqual(await toldOf(files.delete(at("event2.txt")), 1), ["deleted event2.txt"]);
        } finally {
          watcher.dispose();
        }
      });
    });

    describe("9. names", () => {
      const names = [
        "nfc-\u00e9.txt",
        "percent %41 %.txt",
        "hash # question ?.txt",
        "and & plus + space.txt",
        "quotes ' \".txt",
        "semi; dollar$ (a) [b] {c}.txt",
        `${"long".repeat(60)}.txt`,
      ];
      for (const name of names) {
        it(`round-trips ${name.length > 60 ? `${name.length} characters` : name}`, async () => {
          await files.writeFile(at(name), bytes(name));
          assert.equal(Buffer.from(await files.readFile(at(name))).toString(), name);
          assert.ok((await files.readDirectory(at(""))).some(([entry]) => entry === name));
          await files.delete(at(name));
        });
      }

      it("rejects a name with a leading dot with a message, and a path outside of the workspace", async () => {
        await assert.rejects(Promise.resolve(files.writeFile(at(".gitignore"), bytes("x"))), (error: unknown) => {
          assert.ok(error instanceof vscode.FileSystemError && error.code === "NoPermissions", String(error));
          assert.match(error.message, /doesn't accept names that begin with a dot: .*\.gitignore\.$/);
          assert.doesNotMatch(error.message, /untitled/);
          return true;
        });
      });
    });
  });
}
