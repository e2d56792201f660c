import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import type { ContentClient } from "../../api/client/client.ts";
import type { Companion } from "../../api/companion/companion.ts";
import { CompanionUnavailableError } from "../../api/companion/errors.ts";
import { endCompanion, type StartedCompanion, startCompanion } from "../../api/companion/start.ts";
import { errorMessage } from "../../api/error-message.ts";
import { causeOf } from "../../api/http/errors.ts";
import type { Log } from "../../api/http/log.ts";
import type { KernelLeases } from "../../api/kernels/ownership.ts";
import { phrase, type Text } from "../../api/phrase.ts";
import type { Presence } from "../../api/presence.ts";
import { StartAttempts } from "./start-attempts.ts";

/** Milliseconds until the lease of a window that starts or ends a companion expires. */
const leaseMs = 15_000;
const leasePauseMs = 100;
/** Milliseconds to wait for a start. The server may load the kernel's packages from a slow disk. */
const startTimeoutMs = 60_000;
/** Milliseconds to wait for the end of a companion. */
const endTimeoutMs = 5000;

export interface WorkspaceCompanionParts {
  readonly client: () => Promise<ContentClient>;
  /** Identifies the windows that share the companion. */
  readonly owner: string;
  /** The leases that all windows share, with the key for this workspace. */
  readonly leases: KernelLeases;
  readonly leaseKey: string;
  readonly presence: Presence;
  readonly log: Log;
  /** Milliseconds of a clock that never moves backward. */
  readonly now: () => number;
  /** Called when it is connected, and when it can't be used anymore. */
  readonly onChange: () => void;
  /** Called when it failed too often and stays off, with the last reason. */
  readonly onOff: (reason: Text) => void;
}

interface Starting {
  readonly result: Promise<StartedCompanion>;
  readonly controller: AbortController;
}

/** The companion of one workspace in this window: started on demand, and ended when no window uses it. */
export class WorkspaceCompanion {
  readonly #parts: WorkspaceCompanionParts;
  readonly #attempts: StartAttempts;
  #starting: Starting | undefined;
  #started: (StartedCompanion & { readonly client: ContentClient }) | undefined;
  /** The end of the last companion on the server. The next one starts after it. */
  #ending: Promise<void> = Promise.resolve();
  #lastReason: Text = "";

  constructor(parts: WorkspaceCompanionParts) {
    this.#parts = parts;
    this.#attempts = new StartAttempts(parts.now);
  }

  /** The connected companion; undefined if there is none. */
  get running(): Companion | undefined {
    return this.#started?.companion;
  }

  /** The companion. Concurrent calls share one start, which continues if a caller's signal is aborted. */
  async get(signal: AbortSignal | undefined): Promise<Companion> {
    if (this.#started !== undefined) {
      return this.#started.companion;
    }
    if (this.#starting === undefined && this.#attempts.permission !== "allowed") {
      throw new CompanionUnavailableError("off", this.#lastReason);
    }
    this.#starting ??= this.#start();
    const { companion } = await withSignal(this.#starting.result, signal);
    return companion;
  }

  /** Permits the next start although earlier ones failed, because something has changed. */
  reset(): void {
    this.#attempts.reset();
  }

  /** Starts it again with a new kernel. */
  async restart(): Promise<void> {
    await this.#end({ isForced: true });
    // A start that was canceled has to end first.
    await this.#starting?.result.catch(() => {});
    this.#attempts.reset();
    await this.get(undefined);
  }

  /** Ends it for all windows. It stays off in this one. */
  async turnOff(reason: Text): Promise<void> {
    this.#attempts.turnOff();
    this.#lastReason = reason;
    await this.#end({ isForced: true });
  }

  /** Closes the connection, and ends the companion unless another window uses it. */
  leave(): Promise<void> {
    return this.#end({ isForced: false });
  }

  /** Ends it if nothing was requested for this number of milliseconds. */
  async leaveIfIdle(idleMs: number): Promise<void> {
    const companion = this.running;
    if (companion !== undefined && companion.requests === 0 && companion.idleMs >= idleMs) {
      this.#parts.log.info("companion: ended, because nothing was requested for a while");
      await this.leave();
    }
  }

  #start(): Starting {
    const controller = new AbortController();
    const result = this.#startOnce(controller).finally(() => {
      this.#starting = undefined;
    });
    // Callers may have stopped waiting.
    result.catch(() => {});
    return { result, controller };
  }

  async #startOnce(controller: AbortController): Promise<StartedCompanion> {
    const { client, owner, presence, log, onChange } = this.#parts;
    const timeout = AbortSignal.timeout(startTimeoutMs);
    const signal = AbortSignal.any([controller.signal, timeout]);
    const started = performance.now();
    await this.#ending;
    // Without access, nothing was tried that could have failed.
    const content = await client();
    try {
      return await this.#alone(signal, async () => {
        const found = await startCompanion({ client, owner, signal, log, presence });
        const { companion } = found;
        if (companion.end !== undefined) {
          throw new CompanionUnavailableError("refused", companion.end);
        }
        // Not after the lease was given up: it may be ended meanwhile.
        this.#started = { ...found, client: content };
        this.#attempts.started();
        companion.onEnd((reason) => this.#lost(companion, reason));
        log.info(`companion: running after ${Math.round(performance.now() - started)} ms`);
        onChange();
        return found;
      });
    } catch (error) {
      if (controller.signal.aborted) {
        throw error;
      }
      const reason = timeout.aborted ? phrase`The companion didn't start in time.` : errorMessage(error);
      const cause = causeOf(error)?.type;
      const isUnreachable = cause === "network" || cause === "timeLimit";
      this.#failed(error instanceof CompanionUnavailableError ? error : undefined, reason, isUnreachable);
      throw timeout.aborted ? new CompanionUnavailableError("refused", reason) : error;
    }
  }

  /** The companion's process has ended, or its connection can't be restored. */
  #lost(companion: Companion, reason: Text): void {
    if (this.#started?.companion !== companion) {
      return;
    }
    const started = this.#started;
    this.#started = undefined;
    companion.dispose();
    this.#failed(undefined, reason);
    this.#parts.onChange();
    // The server starts the kernel of a process that died again, without the program.
    this.#ending = this.#endOnServer(started, { isForced: false });
  }

  #failed(error: CompanionUnavailableError | undefined, reason: Text, isUnreachable = false): void {
    this.#parts.log.warn(`companion: ${String(reason)}`);
    this.#lastReason = error?.text ?? reason;
    if (isUnreachable) {
      this.#attempts.unreachable();
      return;
    }
    if (this.#attempts.failed(error?.obstacle) && (error === undefined || error.obstacle === "refused")) {
      this.#parts.onOff(this.#lastReason);
    }
  }

  async #end(options: { readonly isForced: boolean }): Promise<void> {
    this.#starting?.controller.abort(new CompanionUnavailableError("off", phrase`The companion was ended.`));
    const started = this.#started;
    if (started === undefined) {
      return;
    }
    this.#started = undefined;
    started.companion.dispose();
    this.#parts.onChange();
    this.#ending = this.#endOnServer(started, options);
    await this.#ending;
  }

  /** Ends the kernel after the connection was closed. Never rejects. */
  async #endOnServer(
    { companion, client, sessionId }: StartedCompanion & { readonly client: ContentClient },
    options: { readonly isForced: boolean },
  ): Promise<void> {
    const signal = AbortSignal.timeout(endTimeoutMs);
    const ended = this.#alone(signal, async () => {
      await companion.closed;
      // With the client of its start: after signing out, there is no other one.
      await endCompanion(async () => client, { sessionId, kernelId: companion.kernelId }, options);
    });
    await withSignal(ended, signal).catch((error: unknown) =>
      this.#parts.log.warn(`companion: it wasn't ended: ${errorMessage(error)}`),
    );
  }

  /** Works while no other window starts or ends the companion. */
  async #alone<Result>(signal: AbortSignal, work: () => Promise<Result>): Promise<Result> {
    const { leases, leaseKey } = this.#parts;
    const holder = randomUUID();
    while ((await leases.acquire(leaseKey, holder, leaseMs)) !== holder) {
      await delay(leasePauseMs, undefined, { signal });
    }
    const renewal = setInterval(() => void leases.acquire(leaseKey, holder, leaseMs).catch(() => {}), leaseMs / 3);
    try {
      return await work();
    } finally {
      clearInterval(renewal);
      await leases.release(leaseKey, holder).catch(() => {});
    }
  }
}

/** The result, unless the signal is aborted before. The work itself continues. */
async function withSignal<Result>(work: Promise<Result>, signal: AbortSignal | undefined): Promise<Result> {
  if (signal === undefined) {
    return work;
  }
  signal.throwIfAborted();
  const aborted = Promise.withResolvers<never>();
  const onAbort = (): void => aborted.reject(signal.reason);
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    return await Promise.race([work, aborted.promise]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}
