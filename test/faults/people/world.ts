import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import type { Transport } from "../../../src/api/http/transport.ts";
import { StandInMemento } from "../../harness/editor-stand-in/memory.ts";
import { editor, Uri } from "../../harness/editor-stand-in/vscode.ts";
import { PersonalTime } from "../../harness/personal-time.ts";
import type { ContentPlace } from "../client.ts";
import { ModifiedSinceError, type Person } from "../person.ts";
import { type Edit, edited, isNotebook, isSame, marksIn, withMarks, withoutMarkers } from "./contents.ts";
import { nextTick } from "./disk.ts";
import { type Rewriting, SharedFolder } from "./folder.ts";
import { Ledger, without } from "./ledger.ts";
import { FaultyConnection } from "./server.ts";
import type { ColleagueChange, Place, Step } from "./steps.ts";
import { type Basis, basisOf, type Copy, contentOf, Window } from "./window.ts";

/** The folder of a sequence: its content path, its path on this machine, and one for the storage of the windows. */
export interface Setting {
  readonly place: ContentPlace;
  readonly transport: Transport;
  readonly folder: string;
  readonly disk: string;
  readonly storage: string;
}

/** Milliseconds between two actions, and for a rest. */
const stepTakes = 300;
const restTakes = 6_000;

const saveWithConflicts = "Save with Conflicts";

/** Two windows with one storage, and colleagues who change the same files. Nobody's text may be lost. */
export class World {
  readonly #setting: Setting;
  readonly #ledger = new Ledger();
  readonly #folder: SharedFolder;
  readonly #time = new PersonalTime();
  readonly #memento = new StandInMemento();
  readonly #tenantId = `tenant-${randomUUID()}`;
  #windows: readonly Window[] = [];
  #isDiskFull = false;

  private constructor(setting: Setting, rewriting: Rewriting) {
    this.#setting = setting;
    this.#folder = new SharedFolder(setting.disk, rewriting, this.#ledger);
  }

  static async begin(setting: Setting, rewriting: Rewriting): Promise<World> {
    const world = new World(setting, rewriting);
    mkdirSync(setting.storage, { recursive: true });
    world.#folder.fill();
    world.#windows = [await world.#openWindow(0), await world.#openWindow(1)];
    return world;
  }

  /** Performs a step. Throws if a text is lost, or if a save ends in a way that nothing explains. */
  async run(step: Step): Promise<void> {
    this.#time.pass(step.do === "rest" ? restTakes : stepTakes);
    for (const { connection } of this.#windows) connection.begin();
    await this.#run(step);
    this.#check();
    await nextTick(`${this.#setting.storage}-clock`);
  }

  /** Lets everyone save everything, without further faults. */
  async end(): Promise<void> {
    this.#freeDisk();
    for (const { connection } of this.#windows) {
      connection.begin();
      connection.fail(undefined);
    }
    for (const window of this.#windows) {
      for (const copy of this.#dirty(window)) {
        this.#time.pass(restTakes);
        await this.#saveAtLast(window, copy);
        this.#check();
      }
    }
    this.#time.pass(restTakes);
    for (const window of this.#windows) {
      await window.run((_, client) => {
        client.refresh();
        return client.files.readDirectory(client.uri(this.#setting.folder));
      });
    }
    this.#check();
  }

  close(): void {
    for (const window of this.#windows) window.kill();
  }

  async #run(step: Step): Promise<void> {
    switch (step.do) {
      case "rest":
        return;
      case "fault":
        this.#window(step.window).connection.fail(step.fault);
        return;
      case "fillDisk":
        this.#fillDisk();
        return;
      case "freeDisk":
        this.#freeDisk();
        return;
      case "colleague":
        this.#colleagueChanges(step);
        return;
      case "open":
        return this.#open(this.#window(step.window), this.#opened(step));
      case "colleagueDeletes":
        this.#folder.colleagueDeletes(step.path);
        return;
      case "colleagueRenames":
        this.#folder.colleagueRenames(step.path, step.to);
        return;
      case "reload":
        return this.#reload(step);
      case "rename":
      case "copy":
        return this.#move(step.do, this.#window(step.window), step.path, step.to);
      case "delete":
        return this.#delete(this.#window(step.window), step.path);
      default:
        return this.#act(step);
    }
  }

  /** What a person does in an editor. */
  async #act(step: Extract<Step, Place>): Promise<void> {
    const window = this.#window(step.window);
    const open = [...window.copies.values()];
    const copy = open.at(step.nth % open.length);
    if (copy === undefined) return;
    switch (step.do) {
      case "type":
        return this.#type(window, copy, step.edit);
      case "undo":
        return this.#undo(window, copy);
      case "save":
        return this.#isDirty(window, copy) ? void (await this.#save(window, copy)) : undefined;
      case "merge":
        return this.#isOnlyDirty(window, copy) ? this.#merge(window, copy) : undefined;
      case "overwrite":
        return copy.isConflict && this.#isOnlyDirty(window, copy) ? this.#overwrite(window, copy) : undefined;
      case "revert":
        return this.#revert(window, copy);
      case "close":
        if (this.#isDirty(window, copy))
          this.#ledger.remove(without(this.#marksOf(window, copy), this.#folder.marks()));
        this.#close(window, copy);
        return;
    }
  }

  #opened({ window, path, kind, isBeside }: Extract<Step, { do: "open" }>): Pick<Copy, "path" | "kind"> {
    const other = isBeside ? [...this.#window(window === 0 ? 1 : 0).copies.values()].at(-1) : undefined;
    return other ?? { path, kind: isNotebook(path) ? kind : "text" };
  }

  async #open(window: Window, { path, kind }: Pick<Copy, "path" | "kind">): Promise<void> {
    if (window.copies.has(keyOf(path, kind))) return;
    const content = this.#folder.content(path);
    const error = await failureOf(window.run((person) => person.open(this.#at(path), kind)));
    if (error !== undefined) {
      assert.ok(content === undefined || window.connection.hasFailed, `can't be opened: ${error.message}`);
      return;
    }
    const copy: Copy = {
      ...{ path, kind, basis: basisOf(undefined, true), bases: new Map(), typed: new Set<string>() },
      ...{ replaceable: new Set<string | undefined>(), own: new Map<string | undefined, symbol>() },
      ...{ isStored: !this.#isDiskFull, isConflict: false },
    };
    window.copies.set(keyOf(path, kind), copy);
    this.#rebase(window, copy, basisOf(this.#text(window, copy), this.#isUnknownAfterSave(path)));
    window.settle();
  }

  #type(window: Window, copy: Copy, edit: Edit): void {
    const before = this.#text(window, copy);
    const mark = this.#folder.newMark();
    const text = edited(copy.path, before, edit, mark);
    this.#ledger.remove(without(marksIn(before), marksIn(text)));
    window.run((person) => person.type(this.#at(copy.path), Buffer.from(text), copy.kind));
    this.#ledger.write(marksIn(text));
    copy.typed.add(mark);
    // The extension can't tell whether the person typed an earlier content again, or returned to it with Undo. In that case,
    // the content is based on what it was based on then.
    const earlier = copy.bases.get(contentOf(copy, text));
    if (earlier !== undefined) {
      // Of a text, the extension knows only what came after its first reload or merge.
      const [basis, other] = copy.kind === "text" ? [copy.basis, earlier] : [earlier, copy.basis];
      copy.replaceable.add(other.content);
      copy.basis = { ...basis, isUnsure: true };
    }
    copy.bases.set(contentOf(copy, text), copy.basis);
  }

  /** Undo removes what the person has typed. What it removes beyond that, nobody has removed knowingly. */
  #undo(window: Window, copy: Copy): void {
    const before = marksIn(this.#text(window, copy));
    if (!window.run((person) => person.undo(this.#at(copy.path), copy.kind))) return;
    const text = this.#text(window, copy);
    this.#ledger.remove(without(before, marksIn(text)).filter((mark) => copy.typed.has(mark)));
    copy.basis = copy.bases.get(contentOf(copy, text)) ?? copy.basis;
  }

  /** Saves without a decision about a conflict. Returns the failure. */
  async #save(window: Window, copy: Copy): Promise<Error | undefined> {
    const { path, basis } = copy;
    const before = this.#folder.content(path);
    const text = this.#text(window, copy);
    const error = await failureOf(window.run((person) => person.save(this.#at(path), false, copy.kind)));
    if (error === undefined) {
      const isBase = isSame(path, basis.content, before);
      const isWritten = isSame(path, before, text);
      // What a save without a response has written stays the person's own for contents with the basis of that save.
      const isReplaceable = copy.replaceable.has(before) || copy.own.get(before) === basis.origin;
      assert.ok(isBase || isWritten || isReplaceable, `${path} was replaced without a question`);
      // If it had someone else's changes already, that is a merge without effect.
      const isMerge = isWritten && !isBase && !copy.own.has(before);
      this.#saved(window, copy, isMerge);
      return undefined;
    }
    const isExplained =
      window.connection.hasFailed || basis.isUnsure || before !== basis.content || before === undefined;
    this.#failed(window, copy, error, before);
    assert.ok(isExplained, `${path} wasn't saved, for no reason: ${error.message}`);
    return error;
  }

  #saved(window: Window, copy: Copy, isMerge = false): void {
    assert.ok(!this.#isDirty(window, copy), "a saved file has no unsaved changes");
    const old = copy.basis;
    this.#rebase(window, copy, basisOf(this.#folder.content(copy.path), this.#isUnknownAfterSave(copy.path)));
    // What the person had before the save is based on it, too, unless it lacks what was merged.
    const earlier = isMerge ? [] : [...copy.bases].filter(([, { origin }]) => origin === old.origin);
    for (const [content, basis] of earlier) {
      // Otherwise, the person may have returned to a content with another basis in between.
      copy.bases.set(content, basis === old ? copy.basis : { ...copy.basis, isUnsure: true });
    }
    copy.replaceable.clear();
    copy.own.clear();
    copy.isConflict = false;
  }

  /** A server that changes what is saved through a link reports nothing from which its version is known. */
  #isUnknownAfterSave(path: string): boolean {
    return this.#folder.rewriting !== "nothing" && path.startsWith("link.");
  }

  /** `before`: what the server had before. */
  #failed(window: Window, copy: Copy, error: Error, before: string | undefined): void {
    assert.ok(this.#isDirty(window, copy), "a file that wasn't saved has unsaved changes");
    copy.isConflict ||= isConflict(error);
    const content = this.#folder.content(copy.path);
    if (!window.connection.hasFailed || content === undefined) return;
    copy.replaceable.add(content);
    if (content !== before) copy.own.set(content, copy.basis.origin);
  }

  /** The person has seen the difference and confirms that the server's version is replaced. */
  async #overwrite(window: Window, copy: Copy): Promise<void> {
    const { path } = copy;
    const before = this.#folder.content(path);
    const text = this.#text(window, copy);
    // The decision stands if the save fails: the next one may replace this version without another question.
    copy.replaceable.add(before);
    this.#ledger.remove(without(marksIn(before ?? ""), marksIn(text)));
    const error = await failureOf(window.run((person) => person.save(this.#at(path), true, copy.kind)));
    if (error === undefined) {
      this.#saved(window, copy);
    } else {
      this.#failed(window, copy, error, before);
      const isExplained = window.connection.hasFailed || copy.basis.isUnsure || !this.#folder.canHaveContent(path);
      assert.ok(isExplained, `can't be overwritten: ${error.message}`);
    }
  }

  async #merge(window: Window, copy: Copy): Promise<void> {
    const { path } = copy;
    const before = this.#text(window, copy);
    const server = this.#folder.content(path);
    copy.bases.set(contentOf(copy, before), copy.basis);
    const begun = editor.executed.length;
    const error = await failureOf(window.run((person) => person.merge(this.#at(path))));
    const [opened, input, , title] =
      editor.executed
        .slice(begun)
        .findLast(([id, , uri]) => id === "_open.mergeEditor" || String(uri).includes(this.#at(path))) ?? [];
    if (error === undefined && opened === "_open.mergeEditor") await this.#mergeInEditor(window, input);
    const after = this.#text(window, copy);
    if (!this.#isDirty(window, copy)) this.#saved(window, copy);
    else if (after !== before || String(title).endsWith("Merged")) {
      this.#rebase(window, copy, basisOf(server, copy.basis.isUnsure));
      copy.replaceable.clear();
    }
  }

  /** Saves the merge editor's result with everything of both sides. */
  async #mergeInEditor(window: Window, input: unknown): Promise<void> {
    if (typeof input !== "object" || input === null || !("output" in input)) assert.fail("no merge editor");
    const { output } = input;
    const uri = Uri.isUri(output) ? output : assert.fail("no result");
    await failureOf(
      window.run(async () => {
        const merged = Buffer.from(await editor.readFile(uri)).toString();
        await editor.writeFile(uri, Buffer.from(withoutMarkers(merged)));
      }),
    );
  }

  /** The person discards the unsaved changes. */
  async #revert(window: Window, copy: Copy): Promise<void> {
    const { path } = copy;
    const before = this.#text(window, copy);
    const wasDirty = this.#isDirty(window, copy);
    // While a notebook has a conflict, the extension reports the date of its base, so that the editor doesn't ask. The
    // editor then assumes this date for what it loads, and asks one time more than necessary after the next conflict.
    const isOlder =
      copy.kind === "notebook" && (copy.basis.isUnsure || this.#folder.content(path) !== copy.basis.content);
    const error = await failureOf(window.run((person) => person.revert(this.#at(copy.path), copy.kind)));
    if (error !== undefined) {
      const isExplained = this.#folder.content(path) === undefined || window.connection.hasFailed;
      assert.ok(isExplained, `can't be reverted: ${error.message}`);
      return;
    }
    const text = this.#text(window, copy);
    if (wasDirty) this.#ledger.remove(without(marksIn(before), marksIn(text)));
    copy.bases.set(contentOf(copy, before), copy.basis);
    const loaded = basisOf(text, (wasDirty && isOlder) || this.#isUnknownAfterSave(path));
    if (copy.kind === "notebook") {
      // The editor can't undo the reload of a notebook. Undo changes the loaded cells, as typing does, also to a content
      // that was there before.
      for (const known of copy.bases.keys()) copy.bases.set(known, { ...loaded, isUnsure: true });
    }
    this.#rebase(window, copy, loaded);
    copy.replaceable.clear();
    copy.isConflict = false;
  }

  /** Saves in any case: after a merge, or with everything that only the server has. */
  async #saveAtLast(window: Window, copy: Copy): Promise<void> {
    const { path, kind } = copy;
    if (!this.#isDirty(window, copy) || !this.#folder.canHaveContent(path)) return;
    if ((await this.#save(window, copy)) === undefined) return;
    const others = [...window.copies.values()].filter((one) => one.path === path && one !== copy);
    for (const other of others) {
      // The person copies everything to one editor.
      const text = this.#text(window, copy);
      const own = this.#isDirty(window, other) ? this.#marksOf(window, other) : [];
      const missing = without(own, marksIn(text));
      if (missing.length > 0) this.#retype(window, copy, withMarks(path, text, missing));
      this.#close(window, other);
    }
    if (this.#folder.content(path) !== undefined) await this.#merge(window, copy);
    if (!this.#isDirty(window, copy) || (await this.#save(window, copy)) === undefined) return;
    const text = this.#text(window, copy);
    this.#retype(
      window,
      copy,
      withMarks(path, text, without(marksIn(this.#folder.content(path) ?? ""), marksIn(text))),
    );
    this.#time.pass(restTakes);
    const saveAnyway = (): Promise<Error | undefined> =>
      failureOf(window.run((person) => person.save(this.#at(path), true, kind)));
    // If the base is unknown, the extension asks again after the editor.
    const first = await saveAnyway();
    const error = first !== undefined && copy.basis.isUnsure ? await saveAnyway() : first;
    assert.equal(error, undefined, `${path} can't be saved: ${error?.message}`);
    this.#saved(window, copy);
  }

  #retype(window: Window, copy: Copy, text: string): void {
    window.run((person) => person.type(this.#at(copy.path), Buffer.from(text), copy.kind));
    copy.bases.set(contentOf(copy, text), copy.basis);
  }

  #colleagueChanges({ path, nth, window, edit }: ColleagueChange): void {
    const windows = window === undefined ? this.#windows : [this.#window(window)];
    const open = windows.flatMap(({ copies }) => [...copies.values()]);
    this.#folder.colleagueChanges((nth === undefined ? undefined : open.at(nth % open.length)?.path) ?? path, edit);
  }

  async #reload({ window: index, isKilled, hasTabs, meanwhile }: Extract<Step, { do: "reload" }>): Promise<void> {
    const before = this.#window(index);
    // What a window stores while others work takes as long as it takes.
    for (const window of this.#windows) if (window !== before || !isKilled) await window.stored();
    const copies = this.#dirty(before).map((copy) => ({
      copy,
      ...before.run((person) => ({
        bytes: person.bytes(this.#at(copy.path), copy.kind),
        seen: person.seen(this.#at(copy.path), copy.kind),
      })),
    }));
    before.kill();
    if (meanwhile !== undefined) this.#colleagueChanges(meanwhile);
    const window = await this.#openWindow(index);
    this.#windows = this.#windows.map((one) => (one === before ? window : one));
    for (const { copy, bytes, seen } of copies) {
      const path = this.#at(copy.path);
      // If the other window has unsaved changes of the same file, too, the older one of both bases counts.
      const other = this.#windows.find((one) => one !== window)?.copies.get(keyOf(copy.path, copy.kind));
      const hasOtherBase = other !== undefined && other.basis.content !== copy.basis.content;
      const isUnsure = copy.basis.isUnsure || isKilled || !copy.isStored || hasOtherBase;
      copy.basis = { ...copy.basis, isUnsure };
      copy.bases.clear();
      copy.typed.clear();
      window.copies.set(keyOf(copy.path, copy.kind), copy);
      window.run((person) => {
        if (copy.kind === "notebook") person.restoreNotebook(path, bytes, seen, { hasTab: hasTabs });
        else person.restore(path, bytes, seen, "text");
      });
      window.settle();
    }
  }

  async #move(what: "rename" | "copy", window: Window, from: string, to: string): Promise<void> {
    if (isNotebook(from) !== isNotebook(to) || !this.#isFree(window, from) || !this.#isFree(window, to)) return;
    const [moved, replaced] = [this.#folder.marks(from), this.#folder.marks(to)];
    await failureOf(
      window.run((_, client) =>
        client.files[what](client.uri(this.#at(from)), client.uri(this.#at(to)), { overwrite: true }),
      ),
    );
    // The editor has asked before. It replaced the target if the source is there now.
    const now = this.#folder.marks(to);
    if (from !== to && without(moved, now).length === 0) this.#ledger.remove(without(replaced, now));
  }

  async #delete(window: Window, path: string): Promise<void> {
    if (!this.#isFree(window, path)) return;
    const marks = this.#folder.marks(path);
    const error = await failureOf(
      window.run((_, client) => client.files.delete(client.uri(this.#at(path)), { recursive: true })),
    );
    // The person has confirmed the deletion of everything in it. If it fails in between, for example at a broken link that the
    // server doesn't list, the error names the rest.
    const isPartial = error !== undefined && / items deleted\. Remaining: /.test(error.message);
    if (error === undefined || isPartial || window.connection.hasFailed) this.#ledger.remove(marks);
  }

  /** False if an editor of the window shows unsaved changes there. Closes the others. */
  #isFree(window: Window, path: string): boolean {
    const copies = [...window.copies.values()].filter(
      (copy) => copy.path === path || copy.path.startsWith(`${path}/`) || path.startsWith(`${copy.path}/`),
    );
    if (this.#folder.isPaired(path) || copies.some((copy) => this.#isDirty(window, copy))) return false;
    for (const copy of copies) this.#close(window, copy);
    return true;
  }

  #close(window: Window, copy: Copy): void {
    window.run((person) => person.close(this.#at(copy.path), copy.kind));
    window.copies.delete(keyOf(copy.path, copy.kind));
  }

  #rebase(window: Window, copy: Copy, basis: Basis): void {
    copy.basis = basis;
    copy.bases.set(contentOf(copy, this.#text(window, copy)), basis);
  }

  #openWindow(index: number): Promise<Window> {
    const { folder, place, storage, transport } = this.#setting;
    const connection = new FaultyConnection(transport, folder, this.#folder);
    return Window.open({
      ...{ connection, place, storage, memento: this.#memento, time: this.#time, tenantId: this.#tenantId },
      storageLink: `${storage}-${index}-${randomUUID()}`,
    });
  }

  #fillDisk(): void {
    if (this.#isDiskFull) return;
    this.#isDiskFull = true;
    for (const copy of this.#windows.flatMap(({ copies }) => [...copies.values()])) copy.isStored = false;
    renameSync(this.#setting.storage, `${this.#setting.storage}-before`);
    writeFileSync(this.#setting.storage, "");
  }

  #freeDisk(): void {
    if (!this.#isDiskFull) return;
    this.#isDiskFull = false;
    rmSync(this.#setting.storage);
    renameSync(`${this.#setting.storage}-before`, this.#setting.storage);
  }

  #window(index: 0 | 1): Window {
    return this.#windows[index] ?? assert.fail("no window");
  }

  #dirty(window: Window): readonly Copy[] {
    return [...window.copies.values()].filter((copy) => this.#isDirty(window, copy));
  }

  #isDirty(window: Window, { path, kind }: Copy): boolean {
    return window.run((person: Person) => person.isDirty(this.#at(path), kind));
  }

  /** True if the copy has unsaved changes and no other editor of the window shows the same file. */
  #isOnlyDirty(window: Window, copy: Copy): boolean {
    const all = [...window.copies.values()].filter(({ path }) => path === copy.path);
    return all.length === 1 && this.#isDirty(window, copy);
  }

  #text(window: Window, { path, kind }: Copy): string {
    return Buffer.from(window.run((person) => person.bytes(this.#at(path), kind))).toString();
  }

  #marksOf(window: Window, copy: Copy): ReadonlySet<string> {
    return marksIn(this.#text(window, copy));
  }

  #at(path: string): string {
    return `${this.#setting.folder}/${path}`;
  }

  #check(): void {
    const unsaved = this.#windows.flatMap((window) =>
      this.#dirty(window).flatMap((copy) => [...this.#marksOf(window, copy)]),
    );
    this.#ledger.check(new Set([...this.#folder.marks(), ...unsaved]));
  }
}

export { saveWithConflicts };

function keyOf(path: string, kind: Copy["kind"]): string {
  return `${kind} ${path}`;
}

function isConflict(error: Error): boolean {
  return error instanceof ModifiedSinceError || /was (changed|renamed or deleted) on the server/.test(error.message);
}

async function failureOf(work: Promise<unknown>): Promise<Error | undefined> {
  try {
    await work;
    return undefined;
  } catch (error) {
    if (error instanceof assert.AssertionError || !(error instanceof Error)) throw error;
    return error;
  }
}
