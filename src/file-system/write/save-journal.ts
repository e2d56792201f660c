import { createHash } from "node:crypto";
import { readdirSync, readFileSync, renameSync, statSync } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Replacement } from "../../api/content-server/replacement.ts";
import { replaceFile } from "../../api/file-replacement.ts";
import { phrase } from "../../api/phrase.ts";
import { FileError } from "../errors.ts";
import { isRunning, type SessionOwner, type WindowSession } from "../session/window-session.ts";

/**
 * A started save in chunks. `uploading`: the temporary file is incomplete and can be discarded. `placing`: it is
 * complete, and is being moved to the target.
 */
interface JournaledUpload extends Replacement {
  readonly stage: "uploading" | "placing";
}

/**
 * A started rename, or a copy, that replaces an item. The target is moved aside, and the source to the target.
 * `copying`: the source is a temporary copy. `upload` is the same as `aside`, whose name is unique.
 */
export interface JournaledMove extends Replacement {
  readonly stage: "renaming" | "copying";
  readonly source: string;
}

/** A started change of several requests. `upload` identifies it. */
export type JournaledSave = JournaledUpload | JournaledMove;

/** Where the journal of a workspace is stored. */
export interface JournalStorage {
  /** An absolute path. */
  readonly directory: string;
  readonly authority: string;
  /** The window that writes the journal. */
  readonly session: WindowSession;
  /** Saves from the storage of an earlier version of the extension. */
  readonly earlier?: readonly JournaledSave[];
}

/** A stored save. The window that runs it is part of the file's name, so that another window can take it over at once. */
interface Entry {
  readonly authority: string;
  readonly save: JournaledSave;
}

/**
 * The journal of one workspace's unfinished saves in chunks. It is stored, so that the next session can finish a save
 * that was interrupted when the editor exited. Each save has its own file, which names the window that runs it: windows
 * with the same storage neither overwrite each other's entries nor end each other's saves.
 */
export class SaveJournal {
  readonly #storage: JournalStorage | undefined;
  readonly #running = new Set<string>();
  /** The saves of this window that have not ended, running or not, by their upload. */
  readonly #unfinished = new Map<string, JournaledSave>();
  #isTaken = false;

  constructor(storage?: JournalStorage) {
    this.#storage = storage;
    for (const save of storage?.earlier ?? []) {
      this.#unfinished.set(save.upload, save);
    }
  }

  /** The interrupted saves. Returns each of them only once until `retry` is called. */
  drainInterrupted(): readonly JournaledSave[] {
    if (this.#isTaken) {
      return [];
    }
    this.#isTaken = true;
    if (this.#storage !== undefined) {
      for (const save of takeOver(this.#storage)) {
        this.#unfinished.set(save.upload, save);
      }
    }
    return [...this.#unfinished.values()].filter(({ upload }) => !this.#running.has(upload));
  }

  /** Makes `takeInterrupted` return the unfinished saves again. */
  retry(): void {
    this.#isTaken = false;
  }

  /**
   * Records the stage of a save. Await it before sending any request of this stage. Throws a FileError of the kind
   * `unrecorded` if this computer can't store it, for example because its disk is full.
   */
  async record(save: JournaledSave): Promise<void> {
    if (this.#storage !== undefined) {
      await store(this.#storage, save);
    }
    this.#running.add(save.upload);
    this.#unfinished.set(save.upload, save);
  }

  /** Removes a save that has ended and left nothing on the server. */
  async ended(upload: string): Promise<void> {
    this.#running.delete(upload);
    this.#unfinished.delete(upload);
    if (this.#storage !== undefined) {
      await rm(placeOf(this.#storage, upload), { force: true });
    }
  }

  /** Records a failed save that left something on the server. It is finished by the next successful request. */
  failed(upload: string): void {
    this.#running.delete(upload);
    this.retry();
  }
}

async function store(storage: JournalStorage, save: JournaledSave): Promise<void> {
  const place = placeOf(storage, save.upload);
  const entry: Entry = { authority: storage.authority, save };
  try {
    await mkdir(dirname(place), { recursive: true, mode: 0o700 });
    await replaceFile(place, JSON.stringify(entry));
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : String(error);
    throw new FileError(
      "unrecorded",
      save.target,
      phrase`${save.target} wasn't replaced: this computer couldn't store what is needed to finish that after an interruption (${code}). Free up disk space on this computer, then try again.`,
    );
  }
}

/** Takes over the saves of windows that have ended. Of several windows that try, one gets each save. */
function takeOver(storage: JournalStorage): readonly JournaledSave[] {
  const folder = join(storage.directory, folderName);
  return namesIn(folder).flatMap((name) => {
    const owner = ownerIn(name);
    try {
      if (owner === undefined || isRunning(owner, statSync(join(folder, name)).mtimeMs)) {
        return [];
      }
      const { authority, save }: Entry = JSON.parse(readFileSync(join(folder, name), "utf8"));
      if (authority !== storage.authority) {
        return [];
      }
      renameSync(join(folder, name), placeOf(storage, save.upload));
      return [save];
    } catch {
      // Another window has just taken it over, or it is damaged.
      return [];
    }
  });
}

const folderName = "saves";

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function placeOf({ authority, directory, session }: JournalStorage, upload: string): string {
  const id = createHash("sha256").update(`${authority}/${upload}`).digest("hex").slice(0, 32);
  const { process, session: name, host } = session.owner;
  return join(directory, folderName, `${id}~${process}~${name}~${encodeURIComponent(host)}.json`);
}

function ownerIn(name: string): SessionOwner | undefined {
  const [, process, session, host] = /^\w+~(\d+)~([\w-]+)~([^~]+)\.json$/.exec(name) ?? [];
  return process === undefined || session === undefined || host === undefined
    ? undefined
    : { process: Number(process), session, host: decodeURIComponent(host) };
}
