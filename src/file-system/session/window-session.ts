import { randomUUID } from "node:crypto";
import { hostname } from "node:os";

/** The window that owns a stored entry. */
export interface SessionOwner {
  readonly session: string;
  /** Process id of its extension host. */
  readonly process: number;
  readonly host: string;
}

/** The sessions of this process. A process has one, except in tests. */
const running = new Set<string>();

/** The session of a window, from its start to its end. Several windows can share one storage, for example in a browser. */
export class WindowSession {
  readonly owner: SessionOwner = { session: randomUUID(), process: process.pid, host: hostname() };

  constructor() {
    running.add(this.owner.session);
  }

  end(): void {
    running.delete(this.owner.session);
  }
}

/** Milliseconds after which an entry is no longer believed to belong to a running session that can't be seen for certain. */
const validMs = 24 * 60 * 60_000;

/**
 * False if the session has ended. On another computer, and for a process whose id may be used again, that can't be
 * determined, so the session is believed to run for a day after it wrote its entry. `writtenAt`: milliseconds since 1970.
 */
export function isRunning({ session, process: id, host }: SessionOwner, writtenAt: number): boolean {
  if (host === hostname() && id === process.pid) {
    return running.has(session);
  }
  if (Date.now() - writtenAt > validMs) {
    return false;
  }
  if (host !== hostname()) {
    return true;
  }
  try {
    process.kill(id, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
