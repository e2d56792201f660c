import type { IncomingMessage, ServerResponse } from "node:http";
import type { Logger } from "pino";
import type { PlatformCredential } from "../../../api/http/credentials.ts";
import type { Transport } from "../../../api/http/transport.ts";
import type { Configuration } from "../config/configuration.ts";
import type { Metrics } from "../observability/metrics.ts";
import type { Traces } from "../observability/traces.ts";
import type { StateStore } from "../shared-state/state-store.ts";

/**
 * What fetching one of the caller's stored credentials gave. `missing`: none is stored under the slug; `unreadable`: its
 * envelope cannot be opened; `unavailable`: the internal service does not answer.
 */
export type CredentialOutcome =
  | { readonly outcome: "found"; readonly secret: string }
  | { readonly outcome: "missing" }
  | { readonly outcome: "unreadable" }
  | { readonly outcome: "unavailable" };

/** Somebody whom the gate has let in: verified, entitled, with a stored platform credential. */
export interface Caller {
  readonly issuer: string;
  readonly subject: string;
  readonly email: string;
  /** Stands in the log line of the request and in every error. */
  readonly requestId: string;
  /** Undefined where the platform's address has no tenant in it. */
  readonly tenant: string | undefined;
  /** The platform's address for this caller. */
  readonly platformUrl: URL;
  /** The stored platform credential, decrypted, for `platformUrl`'s origin alone. */
  readonly platformCredential: PlatformCredential;
  /** The stored credential after the platform refused `platformCredential`, fetched anew; undefined where none can be had. */
  renewPlatformCredential(): Promise<PlatformCredential | undefined>;
  /** Another stored credential, through the gate's cache: one fetch for any number of calls at the same moment. */
  credential(slug: string): Promise<CredentialOutcome>;
  /** Forgets a credential that a content server refused; the next request fetches it afresh. */
  forget(slug: string): void;
}

/** One request that has passed the gate. */
export interface ToolRequest {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** The parsed JSON body: an object (one message), never an array. */
  readonly body: Readonly<Record<string, unknown>>;
  readonly caller: Caller;
  /** Ends with the client's connection, with the time limit of a call and with the server. */
  readonly signal: AbortSignal;
}

/** For the audit line and the metrics: which tool was called, and how it went. */
export interface ToolReport {
  readonly tool: string;
  readonly result: "done" | "failed" | "refused" | "asked";
}

/** The protocol's side of the server. `handle` answers the response; it throws only what is a fault of the server. */
export interface ToolHandler {
  handle(exchange: ToolRequest): Promise<ToolReport | undefined>;
  close(): Promise<void>;
}

/** What the tools work with. */
export interface ToolParts {
  readonly configuration: Configuration;
  readonly log: Logger;
  readonly metrics: Metrics;
  /** For the platform and the content servers. */
  readonly transport: Transport;
  /** Knows which confirmations were used. */
  readonly state: Pick<StateStore, "use">;
  readonly traces: Traces;
  readonly version: string;
  /** Milliseconds since 1970; tests set the clock. */
  readonly now: () => number;
}
