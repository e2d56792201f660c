import { codeOf, secureConnectionProblem } from "../transport-errors.ts";
import { ProxyError, type ProxyProblem, type ProxyServer } from "./proxy.ts";

/**
 * Signing in at one proxy with one set of credentials. As long as it isn't known whether the proxy accepts them, only
 * one request tries, because a proxy may lock the account after a few attempts. Rejected credentials aren't sent again.
 */
export class ProxyLogin {
  readonly #proxy: ProxyServer;
  readonly #isOver: (rejectedAt: number) => boolean;
  readonly #now: () => number;
  #isAccepted = false;
  #rejectedAt: number | undefined;
  #trying: Promise<unknown> | undefined;
  /** Whether the surrounding program can sign in, which is tried once. */
  #outside: "untried" | "signedIn" | "failed" = "untried";
  #tryingOutside: Promise<unknown> | undefined;

  constructor(proxy: ProxyServer, now: () => number, isOver: (rejectedAt: number) => boolean) {
    this.#proxy = proxy;
    this.#now = now;
    this.#isOver = isOver;
  }

  /** Runs work that sends the credentials. Throws a ProxyError without running it if they were rejected before. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#proxy.authorization === undefined) {
      return await work();
    }
    while (!this.#isAccepted && this.#trying !== undefined) {
      await this.#trying;
    }
    if (this.#rejectedAt !== undefined && !this.#isOver(this.#rejectedAt)) {
      throw this.error({ type: "rejected" });
    }
    const running = this.#tried(work);
    const settled = running.then(
      () => undefined,
      () => undefined,
    );
    if (!this.#isAccepted) {
      this.#trying = settled;
      void settled.then(() => {
        this.#trying = undefined;
      });
    }
    return await running;
  }

  /** True if the surrounding program has signed in where these credentials were rejected. */
  get isSignedInOutside(): boolean {
    return this.#outside === "signedIn";
  }

  /**
   * Sends a request in another way, which may sign in. Resolves with undefined if that way can't sign in either. Only one
   * request tries it, because it may send a password, too.
   */
  async outside<T extends object>(work: () => Promise<T>, isUnsigned: (result: T) => boolean): Promise<T | undefined> {
    while (this.#outside === "untried" && this.#tryingOutside !== undefined) {
      await this.#tryingOutside;
    }
    if (this.#outside !== "untried") {
      return this.#outside === "signedIn" ? await work() : undefined;
    }
    const trying = this.#triedOutside(work, isUnsigned);
    this.#tryingOutside = trying.catch(() => undefined);
    return await trying;
  }

  async #triedOutside<T extends object>(
    work: () => Promise<T>,
    isUnsigned: (result: T) => boolean,
  ): Promise<T | undefined> {
    try {
      const result = await work();
      this.#outside = isUnsigned(result) ? "failed" : "signedIn";
      return this.isSignedInOutside ? result : undefined;
    } catch (error) {
      // Behind the proxy, the server's certificate was not accepted.
      const hasPassed = secureConnectionProblem(codeOf(error)) !== undefined;
      this.#outside = hasPassed ? "signedIn" : "failed";
      if (hasPassed) {
        throw error;
      }
      return undefined;
    }
  }

  /** The error for a status other than 2xx. */
  refusal(status: number): ProxyError {
    if (status !== 407) {
      return this.error({ type: "refused", status });
    }
    return this.error({ type: this.#proxy.authorization === undefined ? "signInRequired" : "rejected" });
  }

  error(
    problem: { readonly type: "rejected" | "signInRequired" } | Unreachable | Refused,
    cause?: unknown,
  ): ProxyError {
    const { address, source } = this.#proxy;
    return new ProxyError({ ...problem, address, source }, cause);
  }

  async #tried<T>(work: () => Promise<T>): Promise<T> {
    try {
      const result = await work();
      this.#isAccepted = true;
      this.#rejectedAt = undefined;
      return result;
    } catch (error) {
      if (error instanceof ProxyError && error.problem.type === "rejected") {
        this.#isAccepted = false;
        this.#rejectedAt = this.#now();
      }
      throw error;
    }
  }
}

type Unreachable = Pick<ProxyProblem & { readonly type: "unreachable" }, "type" | "code">;
type Refused = Pick<ProxyProblem & { readonly type: "refused" }, "type" | "status">;

/** The state of signing in at all proxies. Lives as long as the settings that name them. */
export class ProxyLogins {
  readonly #logins = new Map<string, ProxyLogin>();
  readonly #retryMs: number;
  readonly #now: () => number;

  /** `retryMs`: after how many milliseconds rejected credentials are sent again. */
  constructor(retryMs = Number.POSITIVE_INFINITY, now: () => number = Date.now) {
    this.#retryMs = retryMs;
    this.#now = now;
  }

  of(proxy: ProxyServer): ProxyLogin {
    const key = `${proxy.address}\n${proxy.authorization ?? ""}`;
    const known = this.#logins.get(key);
    if (known !== undefined) {
      return known;
    }
    const login = new ProxyLogin(proxy, this.#now, (rejectedAt) => this.#now() - rejectedAt >= this.#retryMs);
    this.#logins.set(key, login);
    return login;
  }
}
