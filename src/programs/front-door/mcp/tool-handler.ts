import type { IncomingMessage, ServerResponse } from "node:http";
import type { Logger } from "pino";
import type { PlatformCredential } from "../../../api/http/credentials.ts";
import type { Transport } from "../../../api/http/transport.ts";
import type { Configuration } from "../config/configuration.ts";
import type { Metrics } from "../observability/metrics.ts";
import type { Traces } from "../observability/traces.ts";
import type { StateStore } from "../shared-state/state-store.ts";
import type { CallShare } from "../shares/shares.ts";

/**
 * The result of fetching one of the caller's stored credentials. `missing`: none is stored under the slug.
 * `unreadable`: its envelope can't be decrypted. `unavailable`: the internal service doesn't respond.
 */
export type CredentialOutcome =
  | { readonly outcome: "found"; readonly secret: string }
  | { readonly outcome: "missing" }
  | { readonly outcome: "unreadable" }
  | { readonly outcome: "unavailable" };

/** A user who passed the gate: verified, entitled, and with a stored platform credential. */
export interface Caller {
  readonly issuer: string;
  readonly subject: string;
  readonly email: string;
  /** The id in the request's log line and in each error. */
  readonly requestId: string;
  /** Undefined if the platform's address does not contain a tenant. */
  readonly tenant: string | undefined;
  /** The platform's address for this caller. */
  readonly platformUrl: URL;
  /** The decrypted platform credential, only for the origin of `platformUrl`. */
  readonly platformCredential: PlatformCredential;
  /** Fetches the credential again after the platform rejected `platformCredential`. Undefined if there is none. */
  renewPlatformCredential(): Promise<PlatformCredential | undefined>;
  /** Another stored credential. Concurrent calls share one fetch. */
  credential(slug: string): Promise<CredentialOutcome>;
  /** Discards a credential that a content server rejected, so that the next request fetches it again. */
  deleteCredential(slug: string): void;
}

/** A request that passed the gate. */
export interface ToolRequest {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** The parsed JSON body, which is one message. Never an array. */
  readonly body: Readonly<Record<string, unknown>>;
  readonly caller: Caller;
  readonly share: CallShare;
  /** Aborts when the client disconnects, at the time limit of a call, and when the server shuts down. */
  readonly signal: AbortSignal;
}

/** The called tool and its result, for the audit line and the metrics. */
export interface ToolReport {
  readonly tool: string;
  readonly result: "done" | "failed" | "refused" | "asked";
}

/** The protocol side of the server. `handle` sends the response, and throws only if the server itself fails. */
export interface ToolHandler {
  handle(exchange: ToolRequest): Promise<ToolReport | undefined>;
  close(): Promise<void>;
}

/** The parts that the tools need. */
export interface ToolParts {
  readonly configuration: Configuration;
  readonly log: Logger;
  readonly metrics: Metrics;
  /** The transport for the platform and the content servers. */
  readonly transport: Transport;
  /** Tracks which confirmations were used. */
  readonly state: Pick<StateStore, "use">;
  readonly traces: Traces;
  readonly version: string;
  /** Milliseconds since 1970. Tests set the clock. */
  readonly now: () => number;
}
