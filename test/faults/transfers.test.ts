import assert from "node:assert/strict";
import { createHash, randomUUID } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import JSZip from "jszip";
import * as vscode from "vscode";
import { inParallel } from "../../src/api/content-server/concurrency.ts";
import { copyFile } from "../../src/features/transfers/file-copy.ts";
import { archiveFolder } from "../../src/features/transfers/folder-archive.ts";
import { type JupyterServer, startJupyterServer } from "../harness/jupyter-server.ts";
import { FilesClient } from "./client.ts";
import { patientTransport } from "./transport.ts";

const megabyte = 1_000_000;
/** Number and size of the files, of which five at once must not fit into the memory that is allowed. */
const count = 5;
const size = 30 * megabyte;
/** Bytes of memory that a transfer can take. */
const allowed = 150 * megabyte;

setFlagsFromString("--expose-gc");
const collectGarbage: () => void = runInNewContext("gc");

/** The maximum memory that the work needs in this process, in bytes. */
async function memoryOf(work: () => Promise<unknown>): Promise<number> {
  const used = (): number => {
    const { heapUsed, external } = process.memoryUsage();
    return heapUsed + external;
  };
  collectGarbage();
  const before = used();
  let max = before;
  let timer: NodeJS.Timeout;
  // Collected first, because garbage that waits for its collection depends on the machine. Collecting takes the longer, the more
  // this process holds from earlier suites, and must not take most of the time.
  const measure = (): void => {
    const begun = performance.now();
    collectGarbage();
    max = Math.max(max, used());
    timer = setTimeout(measure, Math.max(25, 4 * (performance.now() - begun)));
  };
  timer = setTimeout(measure, 25);
  try {
    await work();
  } finally {
    clearTimeout(timer);
  }
  return max - before;
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(path), hash);
  return hash.digest("hex");
}

async function filesIn(folder: string): Promise<readonly string[]> {
  return (await readdir(folder)).filter((name) => name !== ".ipynb_checkpoints").toSorted();
}

describe("transfers of large files", () => {
  const names = Array.from({ length: count }, (_, index) => `file${index}.bin`);
  let root: string;
  let here: string;
  let server: JupyterServer;
  let client: FilesClient;

  before(async () => {
    root = await mkdtemp(join(tmpdir(), "platform-workbench-transfers-"));
    const token = randomUUID();
    server = await startJupyterServer({ root, token, basePath: "/user/ada/w/", deleteToTrash: false });
    const place = { origin: new URL(server.url).origin, prefix: "/user/ada/w/", token };
    client = await FilesClient.connect(place, { transport: patientTransport() });
  });
  after(async () => {
    client.dispose();
    await server.kill();
    await rm(root, { recursive: true, force: true });
  });
  beforeEach(async () => {
    here = await mkdtemp(join(tmpdir(), "platform-workbench-here-"));
    await rm(join(root, "data"), { recursive: true, force: true });
    await mkdir(join(root, "data"));
    client.refresh();
  });
  afterEach(() => rm(here, { recursive: true, force: true }));

  async function fill(folder: string): Promise<void> {
    for (const [index, name] of names.entries()) {
      await writeFile(join(folder, name), Buffer.alloc(size, `${index} of the content of a large file; `));
    }
  }
  async function assertSame(one: string, other: string): Promise<void> {
    assert.deepEqual(await filesIn(other), names);
    for (const name of names) assert.equal(await hashOf(join(one, name)), await hashOf(join(other, name)));
  }
  const control = (signal = new AbortController().signal, onMoved: (share: number) => void = () => {}) => ({
    signal,
    onMoved,
  });

  it("upload a folder in parts, five files at a time", async () => {
    await fill(here);
    const used = await memoryOf(() =>
      inParallel(names, async (name) => {
        const from = vscode.Uri.file(join(here, name));
        await copyFile(client.files, { from, to: client.uri(`data/${name}`), size }, control());
      }),
    );
    await assertSame(here, join(root, "data"));
    assert.ok(used < allowed, `${used / megabyte} MB`);
  });

  it("download a folder in parts, five files at a time", async () => {
    await fill(join(root, "data"));
    const used = await memoryOf(async () => {
      await client.files.listTree(client.uri("data"));
      await inParallel(names, async (name) => {
        const to = vscode.Uri.file(join(here, name));
        await copyFile(client.files, { from: client.uri(`data/${name}`), to, size }, control());
      });
    });
    await assertSame(join(root, "data"), here);
    assert.ok(used < allowed, `${used / megabyte} MB`);
  });

  it("pack a folder into an archive on the disk", async () => {
    await fill(join(root, "data"));
    await mkdir(join(root, "data", "empty"));
    const target = vscode.Uri.file(join(here, "data.zip"));
    const parts: number[] = [];
    const report = (_: string, part = 0): void => void parts.push(part);
    const { signal } = new AbortController();
    const used = await memoryOf(async () => {
      const { count: packed, skipped } = await archiveFolder(client.uri("data"), target, client.files, report, signal);
      assert.deepEqual([packed, skipped], [count, []]);
    });
    assert.ok(used < allowed, `${used / megabyte} MB`);
    assert.deepEqual(await readdir(here), ["data.zip"]);
    assert.equal(parts.at(-1), 1);
    assert.ok(parts.length > count, `${parts.length} reports`);
    const archive = await JSZip.loadAsync(await readFile(target.fsPath));
    assert.deepEqual(
      Object.keys(archive.files).toSorted(),
      ["data/", "data/empty/", ...names.map((name) => `data/${name}`)].toSorted(),
    );
    const content = await archive.file(`data/${names[0]}`)?.async("nodebuffer");
    assert.ok(content?.equals(await readFile(join(root, "data", names[0] ?? ""))));
  });

  it("leave nothing behind and replace nothing if they are canceled halfway", async () => {
    const [name = ""] = names;
    await fill(join(root, "data"));
    await client.files.listTree(client.uri("data"));
    await writeFile(join(here, name), "earlier");

    const download = new AbortController();
    const downloading = control(download.signal, (share) => (share > 0.3 ? download.abort() : undefined));
    const to = vscode.Uri.file(join(here, name));
    await assert.rejects(async () =>
      copyFile(client.files, { from: client.uri(`data/${name}`), to, size }, downloading),
    );
    assert.deepEqual(await readdir(here), [name]);
    assert.equal(await readFile(join(here, name), "utf8"), "earlier");

    const archive = new AbortController();
    const report = (_: string, part = 0): void => (part > 0.3 ? archive.abort() : undefined);
    const target = vscode.Uri.file(join(here, "data.zip"));
    await assert.rejects(
      archiveFolder(client.uri("data"), target, client.files, report, archive.signal),
      (error) => error instanceof vscode.CancellationError,
    );
    assert.deepEqual(await readdir(here), [name]);

    const before = await hashOf(join(root, "data", name));
    await writeFile(join(here, name), Buffer.alloc(size, "other"));
    const upload = new AbortController();
    const uploading = control(upload.signal, (share) => (share > 0.3 ? upload.abort() : undefined));
    await assert.rejects(async () =>
      copyFile(client.files, { from: to, to: client.uri(`data/${name}`), size }, uploading),
    );
    assert.equal(await hashOf(join(root, "data", name)), before);
    assert.deepEqual(await filesIn(join(root, "data")), names);
  });

  it("skip a file of an archive that can't be read, and name it", async () => {
    for (const name of ["one.txt", "two.txt"]) await writeFile(join(root, "data", name), name);
    const target = vscode.Uri.file(join(here, "data.zip"));
    const files: Parameters<typeof archiveFolder>[2] = {
      listDirectory: (uri) => client.files.listDirectory(uri),
      listTree: (uri) => client.files.listTree(uri),
      download: async (uri, place, given) => {
        if (uri.path.endsWith("one.txt")) throw new Error("refused");
        await client.files.download(uri, place, given);
      },
    };
    const outcome = await archiveFolder(client.uri("data"), target, files, () => {}, new AbortController().signal);
    assert.deepEqual([outcome.count, outcome.skipped], [1, [{ name: "data/one.txt", reason: "refused" }]]);
    const archive = await JSZip.loadAsync(await readFile(target.fsPath));
    assert.equal(await archive.file("data/two.txt")?.async("text"), "two.txt");
    assert.equal(archive.file("data/one.txt"), null);
  });
});
