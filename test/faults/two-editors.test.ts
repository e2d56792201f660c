import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { mkdtemp, readFile, rename, rm, symlink, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { newerVersionOf, overwriteServer } from "../../src/file-system/merge/conflicts.ts";
import { registerServerVersions } from "../../src/file-system/merge/server-version.ts";
import { type ClientOptions, FilesClient } from "./client.ts";
import { ModifiedSinceError, Person } from "./person.ts";
import { type FaultyPlace, startFaultyPlace } from "./place.ts";
import { type PatientTransport, patientTransport } from "./transport.ts";

const cell = (id: string, source: string): unknown => ({
  cell_type: "code",
  execution_count: null,
  id,
  metadata: {},
  outputs: [],
  source,
});
const book = (...sources: readonly string[]): string =>
  JSON.stringify({
    cells: sources.map((source, index) => cell(`c${index}`, source)),
    metadata: {},
    nbformat: 4,
    nbformat_minor: 5,
  });

/** No change of someone else is removed, whichever way leads to a save. */
describe("editors whose content goes back to an older version", () => {
  let place: FaultyPlace;
  let transport: PatientTransport;
  let options: ClientOptions & { readonly tenantId: string; readonly storage: string };
  let lane: ReturnType<FaultyPlace["lane"]>;
  let client: FilesClient;
  let person: Person;
  let provider: { dispose(): unknown };

  before(async () => {
    place = await startFaultyPlace();
  });
  after(() => place.stop());

  beforeEach(async () => {
    transport = patientTransport();
    const storage = await mkdtemp(join(tmpdir(), "platform-workbench-stored-"));
    options = { transport, tenantId: `tenant-${randomUUID()}`, storage };
    lane = place.lane();
    await start();
  });
  afterEach(async () => {
    end();
    await client.files.stored();
    await transport.close();
    await rm(options.storage, { recursive: true, force: true, maxRetries: 5 });
  });

  async function start(): Promise<void> {
    client = await FilesClient.connect(lane, options);
    person = new Person(client);
    provider = registerServerVersions(client.files);
  }

  function end(): void {
    client.dispose();
    person.closeAll();
    provider.dispose();
  }

  /** Ends the window, without closing its editors, and opens it again. */
  async function restart(): Promise<void> {
    await client.files.stored();
    end();
    await start();
  }

  const onServer = (path: string): Promise<string> => readFile(join(place.root, path), "utf8");
  const colleagueWrites = async (path: string, content: string): Promise<void> => {
    await writeFile(join(place.root, path), content);
    client.time.pass(6_000);
  };
  const blocked = async (save: Promise<void>): Promise<void> => {
    await assert.rejects(save, (error: unknown) => {
      assert.ok(error instanceof ModifiedSinceError || (error instanceof Error && "code" in error), String(error));
      return true;
    });
  };

  async function opened(content: string, extension: string): Promise<string> {
    const path = `${randomUUID()}${extension}`;
    await writeFile(join(place.root, path), content);
    await person.open(path);
    return path;
  }

  describe("because the file is open twice", () => {
    it("a dirty notebook isn't saved over a change that a second, clean text editor shows", async () => {
      const path = await opened(book("a = 1"), ".ipynb");
      person.type(path, Buffer.from(book("a = 2")));
      await colleagueWrites(path, book("a = 3"));
      await person.open(path, "text");
      person.close(path, "text");
      await blocked(person.save(path));
      assert.match(await onServer(path), /a = 3/);
      await person.open(path, "text");
      await blocked(person.save(path));
      assert.match(await onServer(path), /a = 3/);
    });

    it("a dirty text isn't saved over a change that a second, clean notebook editor shows", async () => {
      const path = `${randomUUID()}.ipynb`;
      await writeFile(join(place.root, path), book("a = 1"));
      await person.open(path, "text");
      person.type(path, Buffer.from(book("a = 2")), "text");
      await colleagueWrites(path, book("a = 3"));
      await person.open(path, "notebook");
      await person.revert(path, "notebook");
      await blocked(person.save(path, false, "text"));
      assert.match(await onServer(path), /a = 3/);
    });

    for (const [extension, content] of [
      [".txt", (word: string) => `${word}\n`],
      [".ipynb", book],
    ] as const) {
      it(`a ${extension} file whose changes were all undone isn't based on what something else has read`, async () => {
        const path = await opened(content("a = 1"), extension);
        person.type(path, Buffer.from(content("a = 22")));
        await colleagueWrites(path, content("a = 333"));
        await client.files.readFile(client.uri(path));
        assert.ok(person.undo(path));
        assert.equal(person.isDirty(path), false);
        client.time.pass(6_000);
        person.type(path, Buffer.from(content("a = 4444")));
        client.time.pass(6_000);
        await blocked(person.save(path));
        assert.match(await onServer(path), /a = 333/);
      });
    }

    for (const isUndone of [false, true]) {
      it(`a notebook saved with what a clean text shows ${isUndone ? "asks if that is undone" : "is based on that save"}`, async () => {
        const path = await opened(book("a = 1", "b = 1", "c = 1"), ".ipynb");
        person.type(path, Buffer.from(book("a = 1", "c = 1")));
        await colleagueWrites(path, book("a = 1", "c = 1"));
        await person.open(path, "text");
        client.time.pass(6_000);
        await person.save(path);
        assert.equal(person.isDirty(path), false);
        if (isUndone) person.undo(path);
        else person.type(path, Buffer.from(book("a = 2", "c = 1")));
        client.time.pass(6_000);
        await (isUndone ? blocked(person.save(path)) : person.save(path));
        assert.match(await onServer(path), isUndone ? /a = 1"[^b]*c = 1/ : /a = 2/);
      });
    }

    it("a dirty notebook isn't saved over a change because a dirty text that shows it has the same content", async () => {
      const path = await opened(book("a = 1"), ".ipynb");
      person.type(path, Buffer.from(book("mine")));
      await colleagueWrites(path, book("theirs", "more"));
      await person.open(path, "text");
      person.type(path, Buffer.from(book("mine")), "text");
      client.time.pass(6_000);
      await blocked(person.save(path));
      assert.match(await onServer(path), /theirs/);
    });

    it("each of two dirty editors is compared with the version that it came from", async () => {
      const path = await opened(book("a = 1"), ".ipynb");
      person.type(path, Buffer.from(book("a = 2")));
      await colleagueWrites(path, book("a = 3"));
      await person.open(path, "text");
      person.type(path, Buffer.from(book("a = 3", "b = 1")), "text");
      await person.save(path, false, "text");
      assert.match(await onServer(path), /a = 3[\s\S]*b = 1/);
      client.time.pass(6_000);
      await blocked(person.save(path));
      assert.match(await onServer(path), /b = 1/);
      await person.merge(path).catch(() => undefined);
    });

    it("a notebook of the server's version is saved without a question while a text is based on an older one", async () => {
      const path = `${randomUUID()}.ipynb`;
      await writeFile(join(place.root, path), book("a = 1"));
      await person.open(path, "text");
      await colleagueWrites(path, book("a = 3"));
      person.type(path, Buffer.from(book("a = 2")), "text");
      await person.open(path, "notebook");
      client.time.pass(6_000);
      person.type(path, Buffer.from(book("a = 3", "b = 1")), "notebook");
      await person.save(path, false, "notebook");
      assert.match(await onServer(path), /a = 3[\s\S]*b = 1/);
      client.time.pass(6_000);
      await blocked(person.save(path, false, "text"));
      assert.match(await onServer(path), /b = 1/);
    });

    it("a notebook that got an older date, because a dirty text held it, is saved after a merge without a question", async () => {
      const path = `${randomUUID()}.ipynb`;
      await writeFile(join(place.root, path), book("1", "2"));
      await person.open(path, "text");
      person.type(path, Buffer.from(book("one", "2")), "text");
      await colleagueWrites(path, book("1", "2"));
      await person.open(path, "notebook");
      client.time.pass(6_000);
      person.type(path, Buffer.from(book("1", "two")), "notebook");
      await person.save(path, false, "text");
      client.time.pass(6_000);
      await blocked(person.save(path, false, "notebook"));
      person.close(path, "text");
      await person.merge(path);
      await person.save(path, false, "notebook");
      assert.match(await onServer(path), /one[\s\S]*two/);
    });

    it("a clean editor of a saved file doesn't ask for the user's own save", async () => {
      const path = await opened(book("a = 1"), ".ipynb");
      await person.open(path, "text");
      person.type(path, Buffer.from(book("a = 2")));
      await person.save(path);
      await person.revert(path, "text");
      person.type(path, Buffer.from(book("a = 4")), "text");
      await person.save(path, false, "text");
      assert.match(await onServer(path), /a = 4/);
    });
  });

  for (const [what, extension, before, ours, theirs, merged] of [
    ["a text", ".txt", "one\n\ntwo\n", "ONE\n\ntwo\n", "one\n\nTWO\n", /ONE\n\nTWO/],
    ["a notebook", ".ipynb", book("1", "2"), book("one", "2"), book("1", "two"), /one[\s\S]*two/],
  ] as const) {
    describe(`because the user undoes a merge of ${what}`, () => {
      let path: string;

      beforeEach(async () => {
        path = await opened(before, extension);
        person.type(path, Buffer.from(ours));
        await colleagueWrites(path, theirs);
        await blocked(person.save(path));
        await person.merge(path);
        assert.match(Buffer.from(person.bytes(path)).toString(), merged);
      });

      it("the merged content is saved without a question", async () => {
        await person.save(path);
        assert.match(await onServer(path), merged);
      });

      it("the content before it isn't saved over the merged version", async () => {
        assert.ok(person.undo(path));
        await blocked(person.save(path));
        assert.equal(await onServer(path), theirs);
        client.time.pass(6_000);
        await blocked(person.save(path));
        await person.merge(path);
        await person.save(path);
        assert.match(await onServer(path), merged);
      });

      it("neither is it after the same merge was made and undone again", async () => {
        assert.ok(person.undo(path));
        await person.merge(path);
        assert.match(Buffer.from(person.bytes(path)).toString(), merged);
        assert.ok(person.undo(path));
        client.time.pass(6_000);
        await blocked(person.save(path));
        assert.equal(await onServer(path), theirs);
      });

      it("neither is the content before the user's own changes, nor later ones", async () => {
        assert.ok(person.undo(path) && person.undo(path));
        person.type(path, Buffer.from(ours.replace("o", "O").replace('"one"', '"three"')));
        await blocked(person.save(path));
        assert.equal(await onServer(path), theirs);
      });

      it("neither is the content before it after the merged content was saved", async () => {
        await person.save(path);
        const saved = await onServer(path);
        assert.ok(person.undo(path));
        client.time.pass(6_000);
        await blocked(person.save(path));
        assert.equal(await onServer(path), saved);
      });

      it("neither is the content before it if it was undone while the merged content was saved", async () => {
        let release: (value?: unknown) => void = () => {};
        const until = new Promise((resolve) => {
          release = resolve;
        });
        let began: (value?: unknown) => void = () => {};
        const begun = new Promise((resolve) => {
          began = resolve;
        });
        const match = { method: "PUT", path: `${lane.prefix}api/contents/${path}` };
        const action = {
          kind: "hold",
          get until() {
            began();
            return until;
          },
        } as const;
        const restore = place.proxy.addFault({ match, action });
        const saving = person.save(path);
        await begun;
        person.undo(path);
        release();
        await saving;
        restore();
        assert.match(await onServer(path), merged);
        assert.ok(person.isDirty(path));
        client.time.pass(6_000);
        await blocked(person.save(path));
        assert.match(await onServer(path), merged);
      });

      it("later saves of the merged content ask nothing, and undoing the user's own changes neither", async () => {
        await person.save(path);
        const content = person.bytes(path);
        person.type(path, Buffer.from(Buffer.from(content).toString().replace(/one/i, "five")));
        client.time.pass(6_000);
        await person.save(path);
        assert.ok(person.undo(path));
        client.time.pass(6_000);
        await person.save(path);
        assert.match(await onServer(path), merged);
      });

      for (const [state, isUndone] of [
        ["merged content", false],
        ["content before it", true],
      ] as const) {
        it(`the ${state} has its own base after the window reloads`, async () => {
          const seen = person.seen(path);
          const mergedContent = person.bytes(path);
          person.undo(path);
          const undone = person.bytes(path);
          await restart();
          if (extension === ".ipynb") {
            person.restoreNotebook(path, isUndone ? undone : mergedContent, seen, { hasTab: true });
          } else {
            person.restore(path, isUndone ? undone : mergedContent, seen);
          }
          client.time.pass(6_000);
          if (isUndone) {
            await blocked(person.save(path));
            assert.equal(await onServer(path), theirs);
            await person.merge(path);
          }
          await person.save(path);
          assert.match(await onServer(path), merged);
        });
      }
    });
  }

  for (const [what, extension, content] of [
    ["a text", ".txt", (...words: readonly string[]): string => words.map((word) => `${word}\n`).join("")],
    ["a notebook", ".ipynb", book],
  ] as const) {
    describe(`because the user undoes in ${what} what someone else has done, too, after a merge without effect`, () => {
      let path: string;
      const type = (...words: readonly string[]): void => person.type(path, Buffer.from(content(...words)));

      beforeEach(async () => {
        path = await opened(content("one", "old", "three"), extension);
        type("one", "three", "four");
        await colleagueWrites(path, content("one", "three"));
        await blocked(person.save(path));
        const before = person.bytes(path);
        await person.merge(path);
        assert.equal(person.bytes(path), before);
      });

      it("the content before it isn't saved, whether or not the merge was saved", async () => {
        for (const isSaved of [false, true]) {
          if (isSaved) await person.save(path);
          assert.ok(person.undo(path));
          client.time.pass(6_000);
          await blocked(person.save(path));
          assert.doesNotMatch(await onServer(path), /old/);
          await person.merge(path);
          assert.doesNotMatch(Buffer.from(person.bytes(path)).toString(), /old/);
        }
        await person.save(path);
        assert.doesNotMatch(await onServer(path), /old/);
      });

      it("neither is it after later saves, nor with later changes", async () => {
        await person.save(path);
        type("two", "three", "four");
        client.time.pass(6_000);
        await person.save(path);
        assert.ok(person.undo(path) && person.undo(path));
        type("two", "old", "three");
        client.time.pass(6_000);
        await blocked(person.save(path));
        assert.doesNotMatch(await onServer(path), /old/);
      });

      it("neither is what the user had changed in it before", async () => {
        person.undo(path);
        type("one", "old and mine", "three");
        type("one", "three");
        client.time.pass(6_000);
        await blocked(person.save(path));
        await person.merge(path);
        await person.save(path);
        assert.ok(person.undo(path));
        assert.match(Buffer.from(person.bytes(path)).toString(), /old and mine/);
        client.time.pass(6_000);
        await blocked(person.save(path));
        assert.doesNotMatch(await onServer(path), /old/);
      });

      it("it is saved if the user decides that, and nothing is asked again", async () => {
        await person.save(path);
        assert.ok(person.undo(path));
        client.time.pass(6_000);
        await blocked(person.save(path));
        await person.save(path, true);
        assert.match(await onServer(path), /old/);
        type("one", "old", "five");
        client.time.pass(6_000);
        await person.save(path);
        assert.match(await onServer(path), /old[\s\S]*five/);
      });

      for (const isSaved of [false, true]) {
        it(`what is typed after the ${isSaved ? "saved " : ""}merge is saved without a question`, async () => {
          if (isSaved) await person.save(path);
          for (const words of [
            ["one", "three", "two", "four"],
            ["ONE", "three", "four"],
            ["ONE", "three"],
          ]) {
            type(...words);
            client.time.pass(6_000);
            await person.save(path);
          }
          assert.ok(person.undo(path) && person.undo(path));
          client.time.pass(6_000);
          await person.save(path);
          assert.match(await onServer(path), /one[\s\S]*two[\s\S]*four/);
        });
      }
    });
  }

  it("because the user undoes in a text what someone else has done, too, after it was saved without a question", async () => {
    const path = await opened("one\nold\n", ".txt");
    person.type(path, Buffer.from("one\n"));
    await colleagueWrites(path, "one\n");
    await person.save(path);
    person.type(path, Buffer.from("one\nmore\n"));
    client.time.pass(6_000);
    await person.save(path);
    assert.ok(person.undo(path) && person.undo(path));
    client.time.pass(6_000);
    await blocked(person.save(path));
    assert.equal(await onServer(path), "one\nmore\n");
  });

  it("because the user undoes a reload of a text: it isn't saved over the version that was loaded", async () => {
    for (const isDirty of [false, true]) {
      const path = await opened("one\n", ".txt");
      if (isDirty) person.type(path, Buffer.from("mine\n"));
      await colleagueWrites(path, "theirs\n");
      await person.revert(path);
      person.type(path, Buffer.from("theirs and mine\n"));
      assert.ok(person.undo(path) && person.undo(path));
      client.time.pass(6_000);
      await blocked(person.save(path));
      assert.equal(await onServer(path), "theirs\n");
    }
  });

  for (const isReloaded of [true, false]) {
    const then = isReloaded ? ", and the window reloads" : "";
    it(`because the user undoes a reload of a restored text whose base is unknown${then}: it asks`, async () => {
      const path = await opened("one\n", ".txt");
      const first = person.seen(path);
      await restart();
      await colleagueWrites(path, "theirs, of another size\n");
      person.restore(path, Buffer.from("mine\n"), first);
      await person.revert(path);
      assert.ok(person.undo(path));
      if (isReloaded) {
        const [bytes, seen] = [person.bytes(path), person.seen(path)];
        await restart();
        person.restore(path, bytes, seen);
      }
      client.time.pass(6_000);
      await blocked(person.save(path));
      assert.equal(await onServer(path), "theirs, of another size\n");
    });
  }

  it("nothing is asked after a text was reloaded right after someone else had changed it", async () => {
    for (const isDirty of [false, true]) {
      const path = await opened("one\n", ".txt");
      if (isDirty) person.type(path, Buffer.from("mine\n"));
      // Within the lifetime of the metadata that the window has.
      await client.files.stat(client.uri(path));
      await writeFile(join(place.root, path), "theirs, of another size\n");
      await person.revert(path);
      person.type(path, Buffer.from("theirs, of another size, and mine\n"));
      client.time.pass(6_000);
      await person.save(path);
      assert.equal(await onServer(path), "theirs, of another size, and mine\n");
    }
  });

  for (const [extension, content] of [
    [".txt", (word: string) => `${word}\n`],
    [".ipynb", book],
  ] as const) {
    it(`nothing is asked if a link to a ${extension} file is replaced by the same file, with another size and date`, async () => {
      const target = `${randomUUID()}${extension}`;
      const path = `link-${target}`;
      await writeFile(join(place.root, target), content("one"));
      await symlink(target, join(place.root, path));
      await person.open(path);
      person.type(path, Buffer.from(content("mine")));
      await rename(join(place.root, target), join(place.root, path));
      await utimes(join(place.root, path), new Date(), new Date(Date.now() + 60_000));
      client.time.pass(6_000);
      await person.save(path);
      assert.match(await onServer(path), /mine/);
    });
  }

  describe("because the window restores an older copy", () => {
    for (const hasTab of [true, false]) {
      for (const size of ["the same", "another"]) {
        it(`of a notebook ${hasTab ? "with" : "without"} a tab: a change of ${size} size is merged`, async () => {
          const path = await opened(book("1", "2"), ".ipynb");
          person.type(path, Buffer.from(book("9", "2")));
          const [bytes, seen] = [person.bytes(path), person.seen(path)];
          await restart();
          await colleagueWrites(path, book("1", size === "another" ? "three" : "3"));
          person.restoreNotebook(path, bytes, seen, { hasTab });
          await blocked(person.save(path));
          await person.merge(path);
          await person.save(path);
          assert.match(await onServer(path), /"9"[\s\S]*"(three|3)"/);
        });
      }
    }

    for (const hasTab of [true, false]) {
      it(`of a notebook ${hasTab ? "with" : "without"} a tab, which was reverted: it is based on what it shows`, async () => {
        const path = await opened(book("1", "2"), ".ipynb");
        person.type(path, Buffer.from(book("9", "2")));
        const [bytes, seen] = [person.bytes(path), person.seen(path)];
        await restart();
        await colleagueWrites(path, book("1", "2", "3"));
        person.restoreNotebook(path, bytes, seen, { hasTab });
        client.time.pass(6_000);
        await person.revert(path);
        person.type(path, Buffer.from(book("1", "2", "3", "mine")));
        client.time.pass(6_000);
        // A colleague removes a cell again. What this editor has had before the revert has nothing to do with it.
        await colleagueWrites(path, book("1", "2"));
        await blocked(person.save(path));
        await person.merge(path);
        await person.save(path);
        assert.doesNotMatch(await onServer(path), /"3"/);
        assert.match(await onServer(path), /mine/);
      });

      it(`of a notebook ${hasTab ? "with" : "without"} a tab: after a revert, what is typed is saved without a question`, async () => {
        const path = await opened(book("1", "2"), ".ipynb");
        person.type(path, Buffer.from(book("9", "2")));
        const [bytes, seen] = [person.bytes(path), person.seen(path)];
        await restart();
        await colleagueWrites(path, book("1", "2", "3"));
        person.restoreNotebook(path, bytes, seen, { hasTab });
        client.time.pass(6_000);
        await person.revert(path);
        person.type(path, Buffer.from(book("1", "2", "3", "mine")));
        client.time.pass(6_000);
        await person.save(path);
        assert.match(await onServer(path), /"3"[\s\S]*mine/);
      });
    }

    it("of a notebook without a tab, while something else reads the file: it keeps its base", async () => {
      const path = await opened(book("1", "2"), ".ipynb");
      person.type(path, Buffer.from(book("9", "2")));
      const [bytes, seen] = [person.bytes(path), person.seen(path)];
      await restart();
      await colleagueWrites(path, book("1", "2", "3"));
      person.restoreNotebook(path, bytes, seen, { hasTab: false });
      client.time.pass(6_000);
      await client.files.readFile(client.uri(path));
      client.time.pass(6_000);
      await blocked(person.save(path));
      await person.merge(path);
      await person.save(path);
      assert.match(await onServer(path), /"9"[\s\S]*"3"/);
    });

    it("of a notebook without a tab, whose later changes were all undone: it still has unsaved changes", async () => {
      const path = await opened(book("1", "2"), ".ipynb");
      person.type(path, Buffer.from(book("9", "2")));
      const [bytes, seen] = [person.bytes(path), person.seen(path)];
      await restart();
      await colleagueWrites(path, book("1", "2", "3"));
      person.restoreNotebook(path, bytes, seen, { hasTab: false });
      client.time.pass(6_000);
      person.type(path, Buffer.from(book("9", "2", "more")));
      client.time.pass(6_000);
      assert.ok(person.undo(path));
      client.time.pass(6_000);
      await blocked(person.save(path));
      await person.save(path, true);
      assert.match(await onServer(path), /"9"[^3]*$/);
    });

    it("of a notebook: what is typed after a merge that changed nothing is saved without a question", async () => {
      const path = await opened(book("1", "2"), ".ipynb");
      person.type(path, Buffer.from(book("1")));
      const [bytes, seen] = [person.bytes(path), person.seen(path)];
      await restart();
      await colleagueWrites(path, book("1"));
      person.restoreNotebook(path, bytes, seen, { hasTab: true });
      client.time.pass(6_000);
      await person.merge(path);
      person.type(path, Buffer.from(book("1", "typed")));
      client.time.pass(6_000);
      await person.save(path);
      assert.match(await onServer(path), /typed/);
    });

    for (const [extension, content] of [
      [".txt", (word: string) => `${word}\n`],
      [".ipynb", book],
    ] as const) {
      it(`of a ${extension} file that the user decided to overwrite, but whose save failed: it isn't asked again`, async () => {
        const path = await opened(content("one"), extension);
        const seen = person.seen(path);
        person.type(path, Buffer.from(content("mine")));
        await colleagueWrites(path, content("theirs, of another size"));
        await blocked(person.save(path));
        const match = { method: "PUT", path: `${lane.prefix}api/contents/${path}` };
        const restore = place.proxy.addFault({ match, action: { kind: "response", status: 413 } });
        const uri = client.uri(path);
        const newer = await newerVersionOf(client.files, uri);
        assert.ok(typeof newer === "object");
        await assert.rejects(overwriteServer(client.files, uri, newer), { code: "Unavailable" });
        restore();
        const bytes = person.bytes(path);
        for (let times = 0; times < 2; times += 1) {
          await restart();
          if (extension === ".ipynb") person.restoreNotebook(path, bytes, seen, { hasTab: true });
          else person.restore(path, bytes, seen);
        }
        client.time.pass(6_000);
        await person.save(path);
        assert.match(await onServer(path), /mine/);
      });
    }

    it("of a text that had loaded the newer version before that was undone: it asks", async () => {
      const path = await opened("one\n", ".txt");
      person.type(path, Buffer.from("mine\n"));
      await restart();
      await colleagueWrites(path, "theirs, of another size\n");
      const loaded = await client.files.stat(client.uri(path));
      client.time.pass(6_000);
      person.restore(path, Buffer.from("mine\n"), loaded);
      await blocked(person.save(path));
      assert.equal(await onServer(path), "theirs, of another size\n");
    });

    it("of a text that was killed before its base was stored: it asks", async () => {
      const path = await opened("one\n", ".txt");
      const seen = person.seen(path);
      await colleagueWrites(path, "two\n");
      await restart();
      // Something else reads the newer version first.
      await client.files.readFile(client.uri(path));
      person.restore(path, Buffer.from("mine\n"), seen);
      await blocked(person.save(path));
      assert.equal(await onServer(path), "two\n");
    });
  });

  describe("of a file that was renamed or deleted meanwhile", () => {
    for (const extension of [".txt", ".ipynb"]) {
      for (const isRestored of [true, false]) {
        for (const isRenamed of [true, false]) {
          it(`${isRestored ? "restored " : ""}${extension}, ${isRenamed ? "renamed" : "deleted"}: it is said, and created only on demand`, async () => {
            const content = (word: string): string => (extension === ".txt" ? word : book(word));
            const path = await opened(content("one"), extension);
            person.type(path, Buffer.from(content("mine")));
            const [bytes, seen] = [person.bytes(path), person.seen(path)];
            if (isRestored) await restart();
            const there = join(place.root, path);
            await (isRenamed ? rename(there, `${there}.moved`) : rm(there));
            client.time.pass(6_000);
            if (isRestored && extension === ".ipynb") person.restoreNotebook(path, bytes, seen, { hasTab: true });
            else if (isRestored) person.restore(path, bytes, seen);
            for (let times = 0; times < 2; times += 1) {
              await assert.rejects(person.save(path), { code: "Unavailable", message: /renamed or deleted/ });
              await assert.rejects(onServer(path), { code: "ENOENT" });
              client.time.pass(6_000);
            }
            assert.ok(person.isDirty(path));
            await person.save(path, true);
            assert.match(await onServer(path), /mine/);
            assert.equal(person.isDirty(path), false);
          });
        }
      }
    }

    for (const [extension, content] of [
      [".txt", (word: string) => `${word}\n`],
      [".ipynb", book],
    ] as const) {
      it(`through a link to it (${extension}): what someone else creates there isn't replaced`, async () => {
        const target = `${randomUUID()}${extension}`;
        const path = `link-${target}`;
        await writeFile(join(place.root, target), content("one"));
        await symlink(target, join(place.root, path));
        await person.open(path);
        person.type(path, Buffer.from(content("mine")));
        const [bytes, seen] = [person.bytes(path), person.seen(path)];
        await rm(join(place.root, target));
        // The first file that a window asks for is one that the server can't read.
        await restart();
        client.time.pass(6_000);
        if (extension === ".ipynb") person.restoreNotebook(path, bytes, seen, { hasTab: true });
        else person.restore(path, bytes, seen);
        await assert.rejects(person.save(path));
        await colleagueWrites(target, content("two"));
        await blocked(person.save(path));
        assert.match(await onServer(target), /two/);
      });
    }

    it("its missing folder isn't created by the save that fails", async () => {
      const folder = randomUUID();
      await client.files.createDirectory(client.uri(folder));
      const path = `${folder}/a.txt`;
      await writeFile(join(place.root, path), "one");
      await person.open(path);
      person.type(path, Buffer.from("mine"));
      await rename(join(place.root, folder), join(place.root, `${folder}-moved`));
      client.time.pass(6_000);
      await assert.rejects(person.save(path), { code: "Unavailable", message: /renamed or deleted/ });
      await assert.rejects(readFile(join(place.root, folder)), { code: "ENOENT" });
    });
  });
});
