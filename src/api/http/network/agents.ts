import type { SecureContext } from "node:tls";
import { Agent, type Dispatcher as UndiciDispatcher } from "undici";
import type { DispatcherOptions } from "../dispatcher-options.ts";
import { codeOf, secureConnectionProblem } from "../transport-errors.ts";
import type { NetworkSettings } from "./network-settings.ts";
import { needsSignIn, ProxyError, type ProxyServer } from "./proxy.ts";
import { createProxyAgent, errorThrough } from "./proxy-agent.ts";

/** Sends a request with undici, or with what the surrounding program offers. */
export interface Route<T extends object> {
  readonly withAgent: (agent: UndiciDispatcher) => Promise<T>;
  readonly outside: (sender: NonNullable<NetworkSettings["outside"]>) => Promise<T>;
  /** True if the result of `outside` is that of a proxy which requires a sign-in. */
  readonly isUnsigned: (result: T) => boolean;
  /** True for a WebSocket, which needs a tunnel through the proxy also without TLS. */
  readonly isSocket: boolean;
}

const keepAliveTimeout = 10_000;

/** The connections of a dispatcher: direct ones, and those through each proxy. */
export class Agents {
  readonly #options: DispatcherOptions;
  readonly #network: NetworkSettings;
  readonly #agents = new Map<string, UndiciDispatcher>();
  readonly #retired = new Set<UndiciDispatcher>();
  #context: unknown;

  constructor(options: DispatcherOptions, network: NetworkSettings) {
    this.#options = options;
    this.#network = network;
  }

  async send<T extends object>(origin: string, route: Route<T>): Promise<T> {
    const url = new URL(origin);
    const proxy = await this.#network.proxyFor(url);
    const before = this.#network.systemTrust?.context;
    try {
      return await this.#sent(url, proxy, route);
    } catch (error) {
      if (secureConnectionProblem(codeOf(error)) !== "unknownAuthority" || !(await this.#trustsMoreThan(before))) {
        throw error;
      }
      return await this.#sent(url, proxy, route);
    }
  }

  /** Closes idle connections, and the others when their requests end. */
  async close(): Promise<void> {
    await Promise.all([...this.#agents.values(), ...this.#retired].map((agent) => agent.close()));
  }

  async destroy(): Promise<void> {
    await Promise.all([...this.#agents.values(), ...this.#retired].map((agent) => agent.destroy()));
  }

  async #sent<T extends object>(url: URL, proxy: ProxyServer | undefined, route: Route<T>): Promise<T> {
    if (proxy === undefined) {
      return await route.withAgent(this.#agent("direct", () => this.#directAgent()));
    }
    const { outside } = this.#network;
    const login = this.#network.logins.of(proxy);
    if (outside !== undefined && (login.isSignedInOutside || proxy.address.startsWith("socks4a:"))) {
      return await route.outside(outside);
    }
    try {
      return await this.#throughProxy(url, proxy, route);
    } catch (error) {
      if (outside === undefined || !(error instanceof ProxyError) || !needsSignIn(error)) {
        throw error;
      }
      const result = await login.outside(() => route.outside(outside), route.isUnsigned);
      if (result === undefined) {
        throw error;
      }
      return result;
    }
  }

  async #throughProxy<T extends object>(url: URL, proxy: ProxyServer, { withAgent, isSocket }: Route<T>): Promise<T> {
    const login = this.#network.logins.of(proxy);
    const isTunneled = url.protocol === "https:" || isSocket;
    const agent = this.#agent(`${proxy.address} ${proxy.authorization ?? ""} ${isSocket ? "tunnel" : ""}`, () =>
      createProxyAgent(
        proxy,
        login,
        { ...this.#tls(), connections: this.#options.connections, keepAliveTimeout },
        isSocket,
      ),
    );
    const work = async (): Promise<T> => {
      try {
        return await withAgent(agent);
      } catch (error) {
        throw errorThrough(login, isTunneled, error);
      }
    };
    return await (isTunneled ? work() : login.run(work));
  }

  #directAgent(): Agent {
    const { connections, lookup } = this.#options;
    const connect = { ...this.#tls(), ...(lookup === undefined ? {} : { lookup }) };
    return new Agent({ connections, keepAliveTimeout, connect });
  }

  #tls(): { readonly secureContext?: SecureContext; readonly rejectUnauthorized?: boolean } {
    const { strictCertificates, systemTrust } = this.#network;
    const context = systemTrust?.context;
    return {
      ...(context === undefined ? {} : { secureContext: context }),
      ...(strictCertificates ? {} : { rejectUnauthorized: false }),
    };
  }

  #agent(key: string, create: () => UndiciDispatcher): UndiciDispatcher {
    const context = this.#network.systemTrust?.context;
    if (context !== this.#context) {
      this.#context = context;
      this.#retire();
    }
    const known = this.#agents.get(key) ?? create();
    this.#agents.set(key, known);
    return known;
  }

  #retire(): void {
    for (const agent of this.#agents.values()) {
      this.#retired.add(agent);
      agent.close().then(
        () => this.#retired.delete(agent),
        () => this.#retired.delete(agent),
      );
    }
    this.#agents.clear();
  }

  async #trustsMoreThan(before: unknown): Promise<boolean> {
    const { systemTrust } = this.#network;
    return systemTrust !== undefined && (await systemTrust.load()) && systemTrust.context !== before;
  }
}
