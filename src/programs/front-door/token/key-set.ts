import { createPublicKey, type KeyObject } from "node:crypto";
import * as z from "zod/mini";
import type { Dispatcher } from "../../../api/http/dispatch.ts";
import type { JwksConfiguration } from "../config/configuration.ts";

type KeyOutcome =
  | { readonly outcome: "key"; readonly key: KeyObject }
  | { readonly outcome: "unknown" }
  | { readonly outcome: "unavailable"; readonly reason: string };

/** The result of a fetch: the text of the set, or the reason for the failure. */
type KeySetResponse =
  | { readonly outcome: "text"; readonly text: string }
  | { readonly outcome: "failed"; readonly reason: string };

interface KeySetOptions {
  readonly configuration: JwksConfiguration;
  readonly fetchKeySet: () => Promise<KeySetResponse>;
  /** A monotonic clock, in milliseconds. */
  readonly monotonic: () => number;
  readonly onFetched: (outcome: "fetched" | "failed", detail: string) => void;
  /** Called if the issuer published the private half of keys, with which anyone can sign. */
  readonly onPrivateKeys: (count: number) => void;
}

const maxKeys = 50;
const modulusBits = { least: 2048, max: 8192 };
const firstBackoffMs = 1000;
const maxBackoffMs = 30_000;

const keySetShape = z.object({ keys: z.array(z.record(z.string(), z.unknown())).check(z.maxLength(maxKeys)) });
const usableKey = z.object({
  kty: z.literal("RSA"),
  kid: z.optional(z.string().check(z.minLength(1), z.maxLength(256))),
  use: z.optional(z.literal("sig")),
  alg: z.optional(z.literal("RS256")),
  key_ops: z.optional(z.array(z.string()).check(z.refine((operations) => operations.includes("verify")))),
  n: z.string(),
  e: z.string(),
});

/**
 * The issuer's keys. Fetched at the start, and again in the background after 70% of their lifetime. Concurrent callers
 * share one fetch. If a fetch fails, known keys stay valid for a limited time. A successful fetch replaces all keys.
 * Unknown key ids cause at most one fetch per cooldown. Retries after failures are 1 to 30 seconds apart.
 */
export class KeySet {
  readonly #options: KeySetOptions;
  #keys: ReadonlyMap<string | undefined, KeyObject> = new Map();
  #fetchedAt: number | undefined;
  #lastFetchForUnknown = Number.NEGATIVE_INFINITY;
  #failures = 0;
  #failedAt = Number.NEGATIVE_INFINITY;
  #failure = "it has not been fetched yet";
  #fetching: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(options: KeySetOptions) {
    this.#options = options;
  }

  /** Starts fetching the set in the background. */
  start(): void {
    void this.#refresh();
  }

  /** True while there are valid keys. */
  get isLoaded(): boolean {
    return this.#fetchedAt !== undefined && this.#age() <= this.#options.configuration.staleSeconds * 1000;
  }

  /** Seconds since the set was fetched; undefined before the first fetch. */
  get ageSeconds(): number | undefined {
    return this.#fetchedAt === undefined ? undefined : this.#age() / 1000;
  }

  /** The key with this id. Without an id, the only key of the set. */
  async keyFor(kid: string | undefined): Promise<KeyOutcome> {
    if (!this.isLoaded) {
      await this.#unlessBackingOff();
      if (!this.isLoaded) {
        return { outcome: "unavailable", reason: this.#failure };
      }
    }
    const known = this.#known(kid);
    if (known !== undefined) {
      return { outcome: "key", key: known };
    }
    if (kid === undefined) {
      return { outcome: "unknown" };
    }
    if (this.#fetching !== undefined) {
      await this.#fetching;
    } else if (
      this.#options.monotonic() - this.#lastFetchForUnknown >=
      this.#options.configuration.cooldownSeconds * 1000
    ) {
      this.#lastFetchForUnknown = this.#options.monotonic();
      await this.#unlessBackingOff();
    }
    const fetched = this.#known(kid);
    if (fetched !== undefined) {
      return { outcome: "key", key: fetched };
    }
    return this.#failures > 0 ? { outcome: "unavailable", reason: this.#failure } : { outcome: "unknown" };
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
  }

  #age(): number {
    return this.#options.monotonic() - (this.#fetchedAt ?? 0);
  }

  #known(kid: string | undefined): KeyObject | undefined {
    return kid === undefined && this.#keys.size === 1 ? [...this.#keys.values()][0] : this.#keys.get(kid);
  }

  #backoff(): number {
    return Math.min(maxBackoffMs, firstBackoffMs * 2 ** Math.max(0, this.#failures - 1));
  }

  async #unlessBackingOff(): Promise<void> {
    if (
      this.#fetching === undefined &&
      this.#failures > 0 &&
      this.#options.monotonic() - this.#failedAt < this.#backoff()
    ) {
      return;
    }
    await this.#refresh();
  }

  #refresh(): Promise<void> {
    this.#fetching ??= this.#fetch().finally(() => {
      this.#fetching = undefined;
    });
    return this.#fetching;
  }

  async #fetch(): Promise<void> {
    clearTimeout(this.#timer);
    const response = await this.#options.fetchKeySet();
    const parsed = response.outcome === "text" ? parseKeySet(response.text) : response;
    const { monotonic, onFetched, onPrivateKeys, configuration } = this.#options;
    if (parsed.outcome === "keys") {
      this.#keys = parsed.keys;
      this.#fetchedAt = monotonic();
      this.#failures = 0;
      if (parsed.exposed > 0) {
        onPrivateKeys(parsed.exposed);
      }
      onFetched("fetched", `${parsed.keys.size} keys, ${parsed.ignored} ignored`);
      this.#schedule(configuration.freshSeconds * 700 * (0.9 + Math.random() / 5));
    } else {
      this.#failures += 1;
      this.#failedAt = monotonic();
      this.#failure = parsed.reason;
      onFetched("failed", parsed.reason);
      this.#schedule(this.#backoff());
    }
  }

  #schedule(milliseconds: number): void {
    if (!this.#closed) {
      this.#timer = setTimeout(() => void this.#refresh(), Math.min(milliseconds, 2 ** 31 - 1));
      this.#timer.unref();
    }
  }
}

type ParsedKeySet =
  | {
      readonly outcome: "keys";
      readonly keys: ReadonlyMap<string | undefined, KeyObject>;
      readonly ignored: number;
      /** The number of ignored keys with private members. */
      readonly exposed: number;
    }
  | { readonly outcome: "failed"; readonly reason: string };

/** Members of private or symmetric keys (RFC 7518, 6.2.2, 6.3.2, and 6.4.1). */
const privateMembers = ["d", "p", "q", "dp", "dq", "qi", "oth", "k"] as const;

/**
 * Parses a key set. Ignores keys that are not for RS256 signatures, and keys whose private half is published, under any
 * id. A valid set without usable keys is an empty set, with which an issuer revokes all keys.
 */
function parseKeySet(text: string): ParsedKeySet {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { outcome: "failed", reason: "it is not valid JSON" };
  }
  const set = z.safeParse(keySetShape, value);
  if (!set.success) {
    return { outcome: "failed", reason: `it is not a key set of at most ${maxKeys} keys` };
  }
  const keys = new Map<string | undefined, KeyObject>();
  const exposed = set.data.keys.filter((entry) => privateMembers.some((member) => Object.hasOwn(entry, member)));
  const exposedModuli = new Set<unknown>(exposed.map(({ n }) => n ?? null));
  for (const entry of set.data.keys) {
    const key = exposed.includes(entry) || exposedModuli.has(entry.n) ? undefined : publicKeyOf(entry);
    if (key !== undefined && !keys.has(key.kid)) {
      keys.set(key.kid, key.key);
    }
  }
  return { outcome: "keys", keys, ignored: set.data.keys.length - keys.size, exposed: exposed.length };
}

function publicKeyOf(
  entry: Readonly<Record<string, unknown>>,
): { kid: string | undefined; key: KeyObject } | undefined {
  const parsed = z.safeParse(usableKey, entry);
  if (!parsed.success) {
    return undefined;
  }
  const { kid, n, e } = parsed.data;
  try {
    const key = createPublicKey({ key: { kty: "RSA", n, e }, format: "jwk" });
    const { modulusLength = 0, publicExponent = 0n } = key.asymmetricKeyDetails ?? {};
    const isSound =
      modulusLength >= modulusBits.least &&
      modulusLength <= modulusBits.max &&
      publicExponent >= 3n &&
      publicExponent % 2n === 1n;
    return isSound ? { kid, key } : undefined;
  } catch {
    return undefined;
  }
}

/** Maximum size of a key set, in bytes. */
const maxBytes = 64 * 1024;

/**
 * Fetches the key set. Accepts only a response with status 200 and at most 64 KiB within the time limit, in
 * milliseconds. Does not follow redirects.
 */
export async function fetchKeySet(dispatcher: Dispatcher, url: URL, timeLimitMs: number): Promise<KeySetResponse> {
  try {
    const { status, body } = await dispatcher.dispatch({
      origin: url.origin,
      path: url.pathname + url.search,
      method: "GET",
      headers: { accept: "application/json, application/jwk-set+json" },
      body: undefined,
      signal: AbortSignal.timeout(timeLimitMs),
      idleLimit: timeLimitMs,
      onReceived: () => {},
      maximumBytes: maxBytes,
    });
    return status === 200
      ? { outcome: "text", text: new TextDecoder().decode(body) }
      : { outcome: "failed", reason: `${url.origin} answered ${status}` };
  } catch (error) {
    return { outcome: "failed", reason: `${url.origin} can't be reached or read (${nameOf(error)})` };
  }
}

function nameOf(error: unknown): string {
  if (!(error instanceof Error)) {
    return "unknown";
  }
  return "code" in error && typeof error.code === "string" ? error.code : error.name;
}
