import type { Text } from "../../phrase.ts";
import { WordedError } from "../../worded-error.ts";

/** How a kernel ended. `died`: its process ended by itself; `gone`: the server no longer knows it (culled, shut down, server restarted). */
export type KernelEnd = "died" | "gone" | "shutDown";

/**
 * Where a connection to a kernel stands. Times are milliseconds since 1970.
 *
 * `connecting`, `connected`, `waiting` and `serverStopped` change by themselves; after `credentialRejected` and
 * `kernelDead` nothing is sent until `retry` is called.
 */
export type ConnectionState =
  | { readonly type: "connecting"; readonly attempt: number }
  | { readonly type: "connected"; readonly since: number }
  | { readonly type: "waiting"; readonly since: number; readonly nextTry: number; readonly reason: Text }
  | { readonly type: "serverStopped"; readonly since: number; readonly nextTry: number; readonly reason: Text }
  | { readonly type: "credentialRejected"; readonly since: number; readonly reason: Text }
  | { readonly type: "kernelDead"; readonly since: number; readonly end: KernelEnd }
  | { readonly type: "disposed" };

/** What the kernel does, as it reports it. `unknown` until the first report, and without a connection. */
export type KernelActivity = "unknown" | "starting" | "idle" | "busy" | "restarting" | "dead";

/** Why a client cannot be given, in the words of the state that the connection takes. Any other error is tried again. */
export class KernelUnreachableError extends WordedError {
  override readonly name = "KernelUnreachableError";
  readonly state: "credentialRejected" | "serverStopped";

  constructor(state: "credentialRejected" | "serverStopped", reason: Text) {
    super(reason);
    this.state = state;
  }
}
