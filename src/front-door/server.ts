import type { Logger } from "pino";
import type { Transport } from "../api/transport.ts";
import type { Configuration } from "./configuration.ts";

/** What a front door can be given in place of its own parts; tests do. */
export interface FrontDoorParts {
  readonly log?: Logger;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
  /** For the platform and the content servers. */
  readonly platformTransport?: Transport;
}

/** A running front door. */
export interface FrontDoor {
  /** `http://127.0.0.1:8080`, without a slash at the end. */
  readonly url: string;
  /** The address of /internal/*, /metrics and the probes: `url` when they have none of their own. */
  readonly internalUrl: string;
  /** Ends it gracefully: no new connections, running calls get their time. */
  close(): Promise<void>;
}

/** Starts a front door; it answers before the key set has come, and is ready after. */
export async function startFrontDoor(_configuration: Configuration, _parts: FrontDoorParts = {}): Promise<FrontDoor> {
  throw new Error("The gate is not built yet.");
}
