import type { Text } from "../../phrase.ts";
import { WordedError } from "../../worded-error.ts";

/**
 * How a kernel ended. `died`: its process exited by itself. `gone`: the server no longer has it, because it was culled
 * or shut down, or because the server restarted.
 */
export type KernelEnd = "died" | "gone" | "shutDown";

/**
 * The state of a connection to a kernel. Times are milliseconds since 1970.
 *
 * `connecting`, `connected`, `waiting`, and `serverStopped` change automatically. In `credentialRejected` and
 * `kernelDead`, nothing is sent until `retry` is called. `resting`: nobody is present and nothing runs, so there is no
 * socket until somebody is present again, or something is sent.
 */
export type ConnectionState =
  | { readonly type: "connecting"; readonly attempt: number }
  | { readonly type: "connected"; readonly since: number }
  | { readonly type: "waiting"; readonly since: number; readonly nextTry: number; readonly reason: Text }
  | { readonly type: "serverStopped"; readonly since: number; readonly nextTry: number; readonly reason: Text }
  | { readonly type: "resting"; readonly since: number }
  | { readonly type: "credentialRejected"; readonly since: number; readonly reason: Text }
  | { readonly type: "kernelDead"; readonly since: number; readonly end: KernelEnd }
  | { readonly type: "disposed" };

/** The kernel's activity. `unknown` without a connection and before the first report. */
export type KernelActivity = "unknown" | "starting" | "idle" | "busy" | "restarting" | "dead";

/** The error with which a client factory sets the connection's state. After any other error, the connection retries. */
export class KernelUnreachableError extends WordedError {
  override readonly name = "KernelUnreachableError";
  readonly state: "credentialRejected" | "serverStopped";

  constructor(state: "credentialRejected" | "serverStopped", reason: Text) {
    super(reason);
    this.state = state;
  }
}
