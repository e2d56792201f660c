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

/** False if the session has ended. True for a session on another computer, where that can't be determined. */
export function isRunning({ session, process: id, host }: SessionOwner): boolean {
  if (host !== hostname()) {
    return true;
  }
  if (id === process.pid) {
    return running.has(session);
  }
  try {
    process.kill(id, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
