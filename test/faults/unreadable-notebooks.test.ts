import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { storeReplaced } from "../../src/features/checkpoints/storing.ts";
import { registerServerVersions } from "../../src/file-system/merge/server-version.ts";
import { editor, TabInputNotebook, TabInputText, Uri } from "../harness/editor-stand-in/vscode.ts";
import { until } from "../harness/until.ts";
import { FilesClient } from "./client.ts";
import { Person } from "./person.ts";
import { type FaultyPlace, startFaultyPlace } from "./place.ts";
import { type PatientTransport, patientTransport } from "./transport.ts";

const book = (...sources: readonly string[]): string =>
  JSON.stringify(
    {
      cells: sources.map((source) => ({
        cell_type: "code",
        execution_count: null,
        metadata: {},
        outputs: [],
        source: [source],
      })),
      metadata: {},
      nbformat: 4,
      nbformat_minor: 4,
    },
    undefined,
    1,
  );
/** What Git writes for a merge with conflicts. */
const conflicting = book("rate = 0.19").replace(
  / *"rate = 0.19"\n/,
  (line) => `<<<<<<< HEAD\n${line}=======\n${line.replace("19", "21")}>>>>>>> new-rates\n`,
);
const old = `${JSON.stringify(
  {
    metadata: { name: "orchard" },
    nbformat: 3,
    nbformat_minor: 0,
    worksheets: [
      {
        metadata: {},
        cells: [
          { cell_type: "heading", level: 2, metadata: {}, source: ["Apples"] },
          {
            cell_type: "code",
            collapsed: false,
            language: "python",
            metadata: {},
            prompt_number: 3,
            input: ["x = 6 * 7\n", "x"],
            outputs: [{ output_type: "pyout", prompt_number: 3, text: ["42"], metadata: {} }],
          },
        ],
      },
      { metadata: {}, cells: [{ cell_type: "markdown", metadata: {}, source: ["A second worksheet."] }] },
    ],
  },
  undefined,
  1,
)}\n`;

for (const kind of ["jupyter", "described"] as const) {
  describe(`notebooks that no editor can show, on a ${kind} server`, () => {
    let place: FaultyPlace;
    let transport: PatientTransport;
    let client: FilesClient;
    let person: Person;
    let provider: { dispose(): unknown };
    let path: string;

    before(async () => {
      place = await startFaultyPlace(kind);
    });
    after(() => place.stop());

    beforeEach(async () => {
      transport = patientTransport();
      client = await FilesClient.connect(place.lane(), {
        transport,
        beforeReplacing: async (uri, server) =>
          storeReplaced(client.files, Uri.file(client.storage.fsPath), uri, server),
      });
      person = new Person(client);
      provider = registerServerVersions(client.files);
      path = `${randomUUID()}.ipynb`;
      editor.messages.length = 0;
    });
    afterEach(async () => {
      for (const message of editor.messages) message.choose();
      client.dispose();
      provider.dispose();
      person.closeAll();
      await transport.close();
    });

    const onServer = (): Promise<string> => readFile(join(place.root, path), "utf8");
    const write = async (content: string): Promise<void> => {
      await writeFile(join(place.root, path), content);
      client.time.pass(6_000);
    };
    const showTab = (input: TabInputNotebook | TabInputText = new TabInputNotebook(client.uri(path))): void =>
      editor.showTabs({ input, isDirty: false });
    const message = async (pattern: RegExp): Promise<(typeof editor.messages)[number]> =>
      until(`a message like ${pattern.source}`, () => editor.messages.find(({ text }) => pattern.test(text)), {
        seen: () => editor.messages.map(({ text }) => text).join("\n"),
      });

    it("with conflict markers: the message names the line, and offers to open the file as text, where it is repaired", async () => {
      await write(conflicting);
      showTab();
      await client.files.readFile(client.uri(path));
      const { text, items, choose } = await message(/merge conflicts \(line 9\)/);
      assert.ok(text.includes(path));
      assert.deepEqual(items, ["Open as Text"]);
      choose("Open as Text");
      await until("the text editor", () =>
        editor.executed.some(
          ([id, uri, type]) => id === "vscode.openWith" && `${uri}`.includes(path) && type === "default",
        ),
      );
      showTab(new TabInputText(client.uri(path)));
      await person.open(path, "text");
      assert.equal(editor.messages.length, 1);
      const repaired = conflicting.replaceAll(/[<>=]{7}.*\n/g, "").replace('0.19"', '0.19",');
      person.type(path, Buffer.from(`${repaired} x`), "text");
      await person.save(path, false, "text");
      assert.equal(await onServer(), `${repaired} x`);
      person.type(path, Buffer.from(repaired), "text");
      await person.save(path, false, "text");
      assert.deepEqual(JSON.parse(await onServer()).cells.length, 1);
    });

    it("is said while a clean tab shows the version before", async () => {
      await write(book("rate = 0.19"));
      await person.open(path);
      showTab();
      await write(book("rate = 0.20").slice(0, -20));
      await client.files.readFile(client.uri(path));
      assert.match((await message(/isn't valid JSON \(line \d+\)/)).text, /still shows the version before/);
    });

    it("isn't merged into unsaved changes, and the message says why", async () => {
      await write(book("rate = 0.19"));
      await person.open(path);
      person.type(path, Buffer.from(book("rate = 0.25")));
      await write(conflicting);
      await assert.rejects(person.save(path), /changed|newer/);
      await assert.rejects(
        person.merge(path),
        (error) =>
          error instanceof Error && error.message.includes(path) && /merge conflicts \(line 9\)/.test(error.message),
      );
      assert.ok(person.isDirty(path));
      assert.equal(await onServer(), conflicting);
    });

    it("of format 3: the server converts it, which is said, or the message names the format; the old file is kept", async () => {
      await write(old);
      showTab();
      const shown = JSON.parse(Buffer.from(await person.open(path)).toString());
      if (kind === "described") {
        assert.equal(shown.nbformat, 3);
        assert.deepEqual((await message(/format 3, which can't be shown/)).items, ["Open as Text"]);
        return;
      }
      assert.equal(shown.cells.length, 3);
      assert.equal(shown.cells[1].outputs.length, 1);
      assert.match((await message(/format 3\. The server converts it/)).text, /first save/);
      assert.equal(await onServer(), old);
      person.type(path, Buffer.from(JSON.stringify(shown).replace("6 * 7", "7 * 6")));
      await person.save(path);
      assert.match(await onServer(), /7 \* 6[\s\S]*"nbformat": 4/);
      const checkpoint = path.replace(".ipynb", "-checkpoint.ipynb");
      assert.equal(await readFile(join(place.root, ".ipynb_checkpoints", checkpoint), "utf8"), old);
      person.type(path, Buffer.from(JSON.stringify(shown).replace("6 * 7", "7 * 7")));
      await person.save(path);
      assert.equal(await readFile(join(place.root, ".ipynb_checkpoints", checkpoint), "utf8"), old);
    });
  });
}
