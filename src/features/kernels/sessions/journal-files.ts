import { createHash } from "node:crypto";
import { constants } from "node:fs";
import { appendFile, mkdir, readdir, readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod/mini";
import { replaceFile } from "../../../api/file-replacement.ts";
import type {
  ExecutionJournal,
  JournalEntry,
  KernelJournal,
} from "../../../api/kernels/executions/execution-journal.ts";

const outcomes = ["ok", "error", "noReply", "aborted", "dropped", "kernelEnded", "notReceived", "unknown"] as const;

const journalHead = z.object({ sessionId: z.string() });

const delivered = z.object({ deliveredId: z.string() });

const journalEntry = z.object({
  messageId: z.string(),
  cellId: z.optional(z.string()),
  cellIndex: z.number(),
  sourceHash: z.string(),
  sentAt: z.number(),
  isFinished: z.boolean(),
  outcome: z.optional(z.enum(outcomes)),
});

/** Maximum size of a file that is read, in bytes. */
const maxFileBytes = 16_000_000;
/** Maximum length of an id that is stored. The format of notebooks allows 64 characters for that of a cell. */
const maxIdLength = 200;
/** Milliseconds after which the last change of a journal of another workspace is too old to resume anything. */
const maxAgeMs = 90 * 24 * 60 * 60_000;

/** Appends to a file, and fails if there is none. */
const existingFile = constants.O_APPEND | constants.O_WRONLY;

/** A kernel, and a notebook's session with it. Notebooks that share a kernel have separate journals. */
interface JournalKey {
  readonly kernelId: string;
  readonly sessionId: string;
}

/**
 * The journals of a window's kernels, as files that survive a reload of the window. Each line is JSON: first the
 * session's id, then one entry or id of a
 * delivered message per change. The last line may be incomplete. All windows share the directory.
 */
export class JournalFiles {
  readonly #directory: string;
  /** Start of the names of this window's files. */
  readonly #prefix: string;

  /** `owner` identifies the window's workspace. */
  constructor(directory: string, owner: string) {
    this.#directory = directory;
    this.#prefix = `${hashOf(owner)}-`;
  }

  /** The journal of the executions of one session. */
  of(sessionId: string): ExecutionJournal {
    const pathOf = (kernelId: string): string => this.#pathOf({ kernelId, sessionId });
    return {
      read: (kernelId) => readJournal(pathOf(kernelId)),
      replace: (kernelId, journal) => this.#replace(pathOf(kernelId), journal),
      append: (kernelId, entries, deliveredId) =>
        appendFile(pathOf(kernelId), linesOf(entries, deliveredId), { flag: existingFile }),
      remove: (kernelId) => rm(pathOf(kernelId), { force: true }),
    };
  }

  async delete(keys: readonly JournalKey[]): Promise<void> {
    for (const key of keys) {
      await rm(this.#pathOf(key), { force: true });
    }
  }

  /** Deletes this window's journals, except those for which `keys` returns a key, and old ones of other windows. */
  async sweep(keys: () => readonly JournalKey[]): Promise<void> {
    const names = await readdir(this.#directory).catch(() => []);
    for (const name of names) {
      const path = join(this.#directory, name);
      const isUnused = name.startsWith(this.#prefix)
        ? // Compare for each file, because a notebook may be bound to its session again meanwhile.
          !keys().some((key) => this.#pathOf(key) === path)
        : await isOld(path);
      if (isUnused) {
        await rm(path, { force: true });
      }
    }
  }

  async #replace(path: string, { sessionId, entries, deliveredId }: KernelJournal): Promise<void> {
    await mkdir(this.#directory, { recursive: true, mode: 0o700 });
    await replaceFile(path, `${JSON.stringify({ sessionId })}\n${linesOf(entries, deliveredId)}`);
  }

  #pathOf({ kernelId, sessionId }: JournalKey): string {
    return join(this.#directory, `${this.#prefix}${hashOf(`${kernelId}/${sessionId}`)}.jsonl`);
  }
}

function linesOf(entries: readonly JournalEntry[], deliveredId: string | undefined): string {
  const lines = entries.map((entry) => {
    const isLong = (entry.cellId?.length ?? 0) > maxIdLength;
    return `${JSON.stringify(isLong ? { ...entry, cellId: undefined } : entry)}\n`;
  });
  const isStored = deliveredId !== undefined && deliveredId.length <= maxIdLength;
  return [...lines, ...(!isStored ? [] : [`${JSON.stringify({ deliveredId })}\n`])].join("");
}

async function readJournal(path: string): Promise<KernelJournal | undefined> {
  const { size } = await stat(path).catch(() => ({ size: 0 }));
  const text = size > maxFileBytes ? "" : await readFile(path, "utf8").catch(() => "");
  const [first = "", ...lines] = text.split("\n");
  const head = z.safeParse(journalHead, jsonOf(first));
  if (!head.success) {
    return undefined;
  }
  const entries = new Map<string, JournalEntry>();
  let deliveredId: string | undefined;
  for (const line of lines) {
    const value = jsonOf(line);
    const parsed = z.safeParse(journalEntry, value);
    const message = z.safeParse(delivered, value);
    if (message.success) {
      ({ deliveredId } = message.data);
    } else if (parsed.success) {
      entries.set(parsed.data.messageId, { ...parsed.data, cellId: parsed.data.cellId });
    }
  }
  return { sessionId: head.data.sessionId, entries: [...entries.values()], deliveredId };
}

async function isOld(path: string): Promise<boolean> {
  const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Number.POSITIVE_INFINITY }));
  return Date.now() - mtimeMs > maxAgeMs;
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 32);
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
