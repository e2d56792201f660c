import { phrase, type Text } from "../../phrase.ts";
import { WordedError } from "../../worded-error.ts";
import type { KernelEnd } from "../connection/connection-state.ts";
import type { ExecutionOutcome } from "../executions/executions.ts";
import type { KernelInformation } from "../models.ts";
import { withdrawalExpression } from "../recorder/withdrawal-code.ts";
import { type Agenda, run, type Steps, step } from "./agenda.ts";
import type { Comms } from "./comms.ts";
import type { CallResult } from "./effect.ts";
import { evaluatedText } from "./evaluation.ts";
import type { Executions } from "./execution/executions.ts";
import { hasSubshells, isIPython } from "./kernel-features.ts";
import type { Link } from "./link.ts";
import type { Output } from "./output.ts";
import type { Recovery } from "./recovery/recovery.ts";
import type { KernelRequests } from "./requests.ts";
import type { Sending } from "./sending.ts";

/**
 * Time limit for the kernel to withdraw executions, in milliseconds. A kernel that doesn't support this doesn't reply.
 */
const withdrawalTimeoutMs = 2000;
/** Maximum number of processes whose late messages are recognized. */
const maxSessions = 20;

interface KernelProcessParts {
  readonly agenda: Agenda;
  readonly link: Link;
  readonly requests: KernelRequests;
  readonly executions: Executions;
  readonly comms: Comms;
  readonly output: Output;
  readonly sending: Sending;
  readonly recovery: Recovery;
}

/** A restart that this client requested. `calls`: those that wait for it. */
type Restart =
  | { readonly type: "none" }
  | {
      /** The kernel withdraws these executions before the server interrupts the running one. */
      readonly type: "withdrawing";
      readonly calls: number[];
      readonly withdrawn: readonly string[];
      readonly timer: number;
      /** True if the old process has reported its exit. */
      hasLeft: boolean;
    }
  /** The server restarts the kernel. `notRun`: message ids of executions that the process has discarded. */
  | {
      readonly type: "requested";
      readonly calls: number[];
      readonly post: number;
      readonly notRun: ReadonlySet<string>;
      hasLeft: boolean;
    };

/** The kernel's process. `replaced`: a restart was announced, and the new process has not sent its information. */
type State =
  | { readonly type: "unknown" }
  | { readonly type: "introduced" | "replaced"; readonly information: KernelInformation };

/** The end and the replacement of the kernel's process. */
export class KernelProcess {
  readonly #parts: KernelProcessParts;
  #state: State = { type: "unknown" };
  #restart: Restart = { type: "none" };
  #lastPost = 0;
  /** The sessions of the processes; empty if they are not known. */
  readonly #sessions = new Set<string>();

  constructor(parts: KernelProcessParts) {
    this.#parts = parts;
  }

  /** Undefined until the kernel's first reply. */
  get information(): KernelInformation | undefined {
    return this.#state.type === "unknown" ? undefined : this.#state.information;
  }

  /** True while the server performs a restart that this client requested. */
  get isRestarting(): boolean {
    return this.#restart.type !== "none";
  }

  /** Number of calls that wait for a restart. */
  get size(): number {
    return this.#restart.type === "none" ? 0 : this.#restart.calls.length;
  }

  /** The outcome of executions that can no longer be sent; undefined while they can. */
  get endOfUnsent(): ExecutionOutcome | undefined {
    switch (this.#parts.link.state.type) {
      case "kernelDead":
        return this.isRestarting ? undefined : { type: "kernelEnded" };
      case "disposed":
        return { type: "dropped" };
      default:
        return undefined;
    }
  }

  /** Records the information that the process has sent. */
  introduced(information: KernelInformation, session: string | undefined): void {
    this.#state = { type: "introduced", information };
    if (session !== undefined) {
      this.#sessions.add(session);
    }
  }

  /**
   * Takes note of the session of a message's sender. Each process has its own, unless the kernel uses those of its
   * clients: a new one shows that the process was replaced, if nothing has reported that.
   */
  noteSession(session: string, ownSession: string): void {
    if (session === ownSession || this.#sessions.size === 0 || this.#sessions.has(session)) {
      return;
    }
    this.#sessions.add(session);
    this.#parts.output.follow(session);
    const [oldest] = this.#sessions;
    if (this.#sessions.size > maxSessions && oldest !== undefined) {
      this.#sessions.delete(oldest);
    }
    if (this.#restart.type !== "none") {
      this.#leave(this.#restart);
    } else if (this.#state.type === "introduced") {
      this.#replace(true);
    }
  }

  /** Requests that the server interrupts the kernel. Returns the number of the request. */
  interrupt(): number {
    return this.#post("interrupt");
  }

  #post(operation: "interrupt" | "restart"): number {
    this.#lastPost += 1;
    this.#parts.agenda.add({ type: "post", post: this.#lastPost, operation });
    return this.#lastPost;
  }

  /**
   * Restarts the kernel. Concurrent calls share one restart. Drops unsent executions, as JupyterLab does. Withdraws
   * those in the kernel's queue before the server interrupts the running cell, because a busy ipykernel might begin them
   * before it exits. New executions wait for the new process.
   */
  restart(call: number): void {
    if (this.#restart.type !== "none") {
      this.#restart.calls.push(call);
      return;
    }
    const { agenda, executions, sending } = this.#parts;
    sending.hold();
    const withdrawn = executions.withdrawPending();
    const { information } = this;
    const calls = [call];
    if (withdrawn.length === 0 || information === undefined) {
      this.#requestRestart(calls, new Set(), false);
      return;
    }
    const timer = agenda.setTimer({ name: "withdrawal" }, withdrawalTimeoutMs);
    const restart: Restart = { type: "withdrawing", calls, withdrawn, timer, hasLeft: false };
    this.#restart = restart;
    run(agenda, this.#withdraw(information, withdrawn)).onResult(
      () => this.#withdrawn(restart, true),
      () => this.#withdrawn(restart, false),
    );
  }

  /** Stops waiting for the kernel to withdraw executions. */
  stopWithdrawing(): void {
    this.#withdrawn(this.#restart, false);
  }

  #withdrawn(restart: Restart, isWithdrawn: boolean): void {
    if (restart === this.#restart && restart.type === "withdrawing") {
      this.#parts.agenda.cancelTimer(restart.timer);
      // The new process knows nothing of them.
      const isKnown = isWithdrawn && !restart.hasLeft;
      this.#requestRestart(restart.calls, new Set(isKnown ? restart.withdrawn : []), restart.hasLeft);
    }
  }

  #requestRestart(calls: number[], notRun: ReadonlySet<string>, hasLeft: boolean): void {
    this.#restart = { type: "requested", calls, post: this.#post("restart"), notRun, hasLeft };
  }

  /** Withdraws executions that the kernel has received but not begun, even while a cell runs. */
  *#withdraw(information: KernelInformation, messageIds: readonly string[]): Steps<void> {
    const { requests, recovery } = this.#parts;
    if (isIPython(information) && hasSubshells(information)) {
      yield* evaluatedText(requests, withdrawalExpression(messageIds), information);
    } else {
      // ipykernel supported this request until it got subshells.
      yield* step(requests.request("control", "abort_request", { msg_ids: messageIds }, { maxAttempts: 1 }));
    }
    // One that has run already can look as if it had not, because its messages are missing.
    yield* step(recovery.completed());
  }

  /** Stops waiting for a restart. What it does to the executions is for a later window to find out. */
  dispose(reason: Text): void {
    const restart = this.#restart;
    this.#restart = { type: "none" };
    if (restart.type === "withdrawing") {
      this.#parts.agenda.cancelTimer(restart.timer);
      this.#post("restart");
    }
    if (restart.type !== "none") {
      this.#settle(restart.calls, { type: "failed", error: new WordedError(reason) });
    }
  }

  #settle(calls: readonly number[], result: CallResult): void {
    for (const call of calls) {
      this.#parts.agenda.add({ type: "settle", call, result });
    }
  }

  /** Handles the server's response to a restart. Returns true if the kernel was restarted. */
  restarted(post: number, error: Error | undefined): boolean {
    const restart = this.#restart;
    if (restart.type !== "requested" || restart.post !== post) {
      return false;
    }
    if (error === undefined || restart.hasLeft) {
      this.#replace(false, restart.notRun);
      this.#restart = { type: "none" };
      this.#endUnsent();
    } else {
      this.#restart = { type: "none" };
      this.#continue();
    }
    const result: CallResult = error === undefined ? { type: "done" } : { type: "failed", error };
    this.#settle(restart.calls, result);
    return error === undefined;
  }

  /**
   * Handles a report of a restart by the ending process, or by the server that has replaced a lost process. Returns
   * false if this client has requested the restart.
   */
  replaced(): boolean {
    if (this.#restart.type !== "none") {
      this.#leave(this.#restart);
      return false;
    }
    this.#replace(true);
    return true;
  }

  /**
   * Handles the exit of the old process before the server's response. The new one may answer what was asked of the old one,
   * which says nothing about the executions.
   */
  #leave(restart: Exclude<Restart, { readonly type: "none" }>): void {
    if (!restart.hasLeft) {
      restart.hasLeft = true;
      this.#parts.requests.drop(phrase`The kernel was restarted.`);
      this.#parts.recovery.abandon();
    }
  }

  /** Handles the end of the kernel, which can still be restarted. */
  ended(end: KernelEnd): void {
    const { agenda, executions, requests, recovery, comms, output } = this.#parts;
    recovery.abandon();
    const queued = this.isRestarting ? [] : executions.pending.filter(({ phase }) => phase === "queued");
    const notSent = queued.map(({ entry }) => entry);
    const running = executions.endPending({ keepsQueued: this.isRestarting });
    requests.drop(phrase`The kernel ended.`);
    output.clearCaptures();
    comms.drop();
    executions.journal.remove();
    agenda.add({ type: "emit", event: { name: "kernel", value: { type: "ended", end, running, notSent } } });
  }

  /** Continues with the old process, because the server did not restart the kernel. */
  #continue(): void {
    const { executions, sending } = this.#parts;
    executions.reinstatePending();
    sending.release();
    this.#endUnsent();
  }

  /** Ends the executions that can't be sent, and, if the kernel ended, all others. A later window resumes the others. */
  #endUnsent(): void {
    const { executions } = this.#parts;
    switch (this.endOfUnsent?.type) {
      case "kernelEnded":
        executions.endPending({ keepsQueued: false });
        break;
      case "dropped":
        executions.dropQueued();
        break;
    }
  }

  /** Switches to the new process. The server, the ending kernel, and the response all report the same restart. */
  #replace(isAutomatic: boolean, notRun: ReadonlySet<string> = new Set()): void {
    const { agenda, link, executions, requests, sending, recovery, comms, output } = this.#parts;
    // A server can report the restart that came before this connection, from the messages that it kept for the session.
    // What waits here is for the new process.
    const isEarlier = this.#state.type === "unknown";
    const keepsQueued = this.isRestarting || isEarlier;
    const running = executions.endPending({ keepsQueued, notRun, socket: link.socket });
    requests.drop(phrase`The kernel was restarted.`);
    output.clearCaptures();
    comms.drop();
    if (running.length > 0 || this.#state.type === "introduced") {
      agenda.add({ type: "emit", event: { name: "kernel", value: { type: "restarted", isAutomatic, running } } });
    }
    if (this.#state.type === "introduced") {
      this.#state = { type: "replaced", information: this.#state.information };
    }
    if (link.socket !== undefined) {
      sending.prepare(link.socket);
    }
    sending.release();
    recovery.restart(link.socket);
  }
}
