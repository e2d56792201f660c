import type { LookupFunction } from "node:net";
import type { NetworkSettings } from "./network/network-settings.ts";

export interface DispatcherOptions {
  /** Maximum number of connections per origin. */
  readonly connections: number;
  /** Proxies and certificates. By default, the environment variables `HTTPS_PROXY` and `NO_PROXY` apply. */
  readonly network?: NetworkSettings;
  /** Resolves names for direct connections. A proxy resolves those of its connections. */
  readonly lookup?: LookupFunction;
}
