import type { Dispatcher } from "../dispatch.ts";
import type { ProxyServer } from "./proxy.ts";
import { ProxyLogins } from "./proxy-login.ts";
import { type Environment, type ProxySettings, selectProxy } from "./proxy-selection.ts";
import type { SystemTrust } from "./system-trust.ts";

/** How connections are made. It doesn't change: a dispatcher is replaced when the settings change. */
export interface NetworkSettings {
  /**
   * The proxy for an origin; undefined to connect directly. Rejects with a ProxyError if its address is invalid.
   */
  proxyFor(origin: URL): Promise<ProxyServer | undefined>;
  readonly logins: ProxyLogins;
  /** False to accept any certificate. Only if the user turned off the check. */
  readonly strictCertificates: boolean;
  /** The authorities that the system trusts. Without it, only those of Node are trusted. */
  readonly systemTrust?: SystemTrust;
  /**
   * Sends requests in a way that can sign in at proxies that reject the credentials of these settings. A response with
   * the status 407 means that it could not.
   */
  readonly outside?: Required<Pick<Dispatcher, "dispatch" | "openSocket">>;
}

/** After this time, a program sends rejected credentials of a proxy again: nobody may be there to restart it. */
const rejectedCredentialsRetryMs = 15 * 60_000;

/** The network of a program without settings of its own: `HTTPS_PROXY`, `HTTP_PROXY`, and `NO_PROXY`. */
export function environmentNetwork(
  settings: ProxySettings = {},
  environment: Environment = process.env,
): NetworkSettings {
  return {
    proxyFor: async (origin) => {
      const selected = selectProxy(origin, settings, environment);
      return selected === "direct" ? undefined : selected;
    },
    logins: new ProxyLogins(rejectedCredentialsRetryMs),
    strictCertificates: true,
  };
}
