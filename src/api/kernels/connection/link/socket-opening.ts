import type { Clock } from "../../../clock.ts";

interface SocketOpening<Response> {
  /** Requests the socket. */
  readonly open: (signal: AbortSignal) => Promise<Response>;
  /** Resolves with true if the server no longer has the kernel. */
  readonly isGone: (signal: AbortSignal) => Promise<boolean>;
  /** Milliseconds between two calls of `isGone`. */
  readonly interval: number;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/**
 * Requests a kernel's socket. The server answers when the kernel has started, and keeps the request open even after it
 * has given up and removed the kernel, so the kernel is checked meanwhile. Resolves with `gone` if it no longer exists.
 */
export async function openUnlessGone<Response>({
  open,
  isGone,
  interval,
  clock,
  signal,
}: SocketOpening<Response>): Promise<Response | "gone"> {
  const gone = new AbortController();
  const done = new AbortController();
  const removed = Promise.withResolvers<"gone">();
  const check = async (): Promise<void> => {
    // The time limit of the opening detects a server that doesn't respond.
    if (await isGone(AbortSignal.any([signal, done.signal])).catch(() => false)) {
      removed.resolve("gone");
      gone.abort();
    } else if (!done.signal.aborted) {
      checkLater();
    }
  };
  let cancel = (): void => {};
  const checkLater = (): void => {
    cancel = clock.schedule(interval, () => void check());
  };
  checkLater();
  try {
    return await Promise.race([removed.promise, open(AbortSignal.any([signal, gone.signal]))]);
  } finally {
    done.abort();
    cancel();
  }
}
