import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { readFile, stat, utimes, writeFile } from "node:fs/promises";
import { join, parse } from "node:path";
import { registerServerVersions } from "../../src/file-system/merge/server-version.ts";
import { until } from "../harness/until.ts";
import { FilesClient } from "./client.ts";
import { ModifiedSinceError, Person } from "./person.ts";
import { type FaultyPlace, startFaultyPlace } from "./place.ts";
import { type PatientTransport, patientTransport } from "./transport.ts";

const bookOf = (sources: readonly string[], metadata: unknown): string =>
  JSON.stringify({
    cells: sources.map((source, index) => ({
      cell_type: "code",
      execution_count: null,
      id: `c${index}`,
      metadata: {},
      outputs: [],
      source: source.split(/(?<=\n)/),
    })),
    metadata,
    nbformat: 4,
    nbformat_minor: 5,
  });
const paired = { jupytext: { formats: "ipynb,py:percent" } };
const book = (...sources: readonly string[]): string => bookOf(sources, paired);

describe("notebooks that a server with jupytext pairs with scripts", () => {
  let place: FaultyPlace;
  let transport: PatientTransport;
  let client: FilesClient;
  let person: Person;
  let provider: { dispose(): unknown };
  let name: string;

  before(async () => {
    place = await startFaultyPlace("paired");
  });
  after(() => place.stop());

  beforeEach(async () => {
    transport = patientTransport();
    client = await FilesClient.connect(place.lane(), { transport });
    person = new Person(client);
    provider = registerServerVersions(client.files);
    name = randomUUID();
  });
  afterEach(async () => {
    client.dispose();
    provider.dispose();
    person.closeAll();
    await transport.close();
  });

  const onServer = (path: string): Promise<string> => readFile(join(place.root, path), "utf8");
  const blocked = (save: Promise<void>): Promise<void> =>
    assert.rejects(
      save,
      (error) =>
        error instanceof ModifiedSinceError || (error instanceof Error && /changed on the server/.test(error.message)),
    );
  /** The sources that a notebook editor shows. */
  const shown = (path: string): readonly string[] => {
    const { cells } = JSON.parse(Buffer.from(person.bytes(path)).toString());
    return cells.map(({ source }: { source: string | readonly string[] }) => [source].flat().join(""));
  };
  const edit = (path: string, from: string, to: string): void => {
    const text = Buffer.from(person.bytes(path)).toString();
    assert.ok(text.includes(from));
    person.type(path, Buffer.from(text.replace(from, to)));
  };
  /** A colleague edits a file on the server's disk. */
  const colleagueEdits = async (path: string, from: string, to: string): Promise<void> => {
    const text = await onServer(path);
    assert.ok(text.includes(from));
    const { dir, name: stem } = parse(join(place.root, path));
    const pair = [".ipynb", ".py"].map((extension) => join(dir, stem + extension));
    const last = Math.max(...(await Promise.all(pair.map(async (one) => (await stat(one)).mtimeMs))));
    // The server uses the newer file of a pair, and the clock of the disk advances in steps.
    await until("a newer date", async () => {
      await writeFile(join(place.root, path), text.replace(from, to));
      return (await stat(join(place.root, path))).mtimeMs > last;
    });
    client.time.pass(6_000);
  };
  const openPair = async (...sources: readonly string[]): Promise<string> => {
    const path = `${name}.ipynb`;
    await writeFile(join(place.root, path), book(...sources));
    await person.open(path);
    edit(path, '"nbformat":4', '"nbformat": 4');
    await person.save(path);
    return path;
  };

  it("are saved again and again, together with their scripts, without a conflict", async () => {
    const path = await openPair("x = 1\ny = 2\n", "z = 3");
    for (const [from, to] of [
      ["x = 1", "x = 10"],
      ["z = 3", "z = 4"],
    ] as const) {
      edit(path, from, to);
      client.time.pass(6_000);
      await person.save(path);
      assert.ok((await onServer(`${name}.py`)).includes(to));
      assert.ok((await onServer(path)).includes(to));
    }
  });

  it("show the newer cells of their scripts", async () => {
    const path = await openPair("x = 1", "z = 3");
    person.close(path);
    await colleagueEdits(`${name}.py`, "x = 1", "x = 100");
    await person.open(path);
    assert.deepEqual(shown(path), ["x = 100", "z = 3"]);
    edit(path, "z = 3", "z = 4");
    await person.save(path);
    const script = await onServer(`${name}.py`);
    assert.ok(script.includes("x = 100") && script.includes("z = 4"), script);
  });

  for (const by of ["a colleague", "the user, in another editor"]) {
    it(`aren't saved over a change of their script by ${by}, and are merged with it`, async () => {
      const path = await openPair("x = 1", "z = 3");
      edit(path, "z = 3", "z = 4");
      if (by === "a colleague") {
        await colleagueEdits(`${name}.py`, "x = 1", "x = 100");
      } else {
        await person.open(`${name}.py`);
        edit(`${name}.py`, "x = 1", "x = 100");
        await person.save(`${name}.py`);
        client.time.pass(6_000);
      }
      await blocked(person.save(path));
      assert.ok((await onServer(`${name}.py`)).includes("x = 100"));
      await person.merge(path);
      assert.deepEqual(shown(path), ["x = 100", "z = 4"]);
      await person.save(path);
      const script = await onServer(`${name}.py`);
      assert.ok(script.includes("x = 100") && script.includes("z = 4"), script);
    });
  }

  it("are saved without a question after the server forgot its pairs, as with each start", async () => {
    const path = await openPair("x = 1", "z = 3");
    const paths = [path, `${name}.py`].map((one) => join(place.root, one));
    const before = await Promise.all(
      paths.map(async (one) => ({ content: await readFile(one), times: await stat(one) })),
    );
    const { origin, prefix, token } = place.lane();
    const unpaired = await fetch(`${origin}${prefix}api/contents/${path}`, {
      method: "PUT",
      headers: { authorization: `token ${token}` },
      body: `{"type":"notebook","format":"json","content":${bookOf(["x = 1"], {})}}`,
    });
    assert.ok(unpaired.ok);
    for (const [index, one] of paths.entries()) {
      const { content = "", times } = before[index] ?? {};
      await writeFile(one, content);
      await utimes(one, times?.atime ?? 0, times?.mtime ?? 0);
    }
    client.time.pass(6_000);
    edit(path, "z = 3", "z = 4");
    await person.save(path);
    assert.ok((await onServer(`${name}.py`)).includes("z = 4"));
  });

  it("have scripts whose unsaved changes stay, and are merged with what a save of the notebook wrote", async () => {
    const path = await openPair("x = 1", "z = 3");
    const script = `${name}.py`;
    await person.open(script);
    edit(script, "x = 1", "x = 100");
    for (const value of [4, 5]) {
      edit(path, `z = ${value - 1}`, `z = ${value}`);
      client.time.pass(6_000);
      await person.save(path);
    }
    assert.ok(person.isDirty(script));
    await blocked(person.save(script));
    assert.ok((await onServer(script)).includes("z = 5"));
    await person.merge(script);
    await person.save(script);
    const text = await onServer(script);
    assert.ok(text.includes("x = 100") && text.includes("z = 5"), text);
  });

  it("are paired by the server's configuration alone, once a listing shows it", async () => {
    await client.files.createDirectory(client.uri(name));
    await writeFile(join(place.root, name, "jupytext.toml"), 'formats = "ipynb,py:percent"\n');
    const path = `${name}/book.ipynb`;
    await writeFile(join(place.root, path), bookOf(["x = 1", "z = 3"], {}));
    await writeFile(join(place.root, `${name}/book.py`), "# %%\nx = 100\n\n# %%\nz = 3\n");
    await client.files.readDirectory(client.uri(name));
    await person.open(path);
    assert.deepEqual(shown(path), ["x = 100", "z = 3"]);
    edit(path, "z = 3", "z = 4");
    await colleagueEdits(`${name}/book.py`, "x = 100", "x = 101");
    await blocked(person.save(path));
  });
});
