import { LRUCache } from "lru-cache";
import type { CredentialConfiguration } from "../config/configuration.ts";
import { Gangway } from "../gangway.ts";
import { isRefusal, type Refusal } from "../http/rejections.ts";
import type { Metrics } from "../observability/metrics.ts";
import { type CredentialName, openEnvelope, secretWithin } from "./decryption.ts";
import type { InternalService } from "./internal-service.ts";
import { cacheOptions, cacheUse, keptOrNot, Unkept } from "./lookup-cache.ts";

interface CredentialOptions {
  readonly configuration: CredentialConfiguration;
  readonly concurrentDecryptions: number;
  readonly service: Pick<InternalService, "envelope">;
  readonly metrics: Metrics;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

export type FoundCredential = { readonly secret: string } | Refusal;

/** In the cache: bytes that are overwritten when the entry goes, or that nothing is stored. */
type Kept = { readonly bytes: Buffer } | { readonly refusal: "noCredential" };

/** That nothing is stored is remembered only briefly: the person is about to store it. */
const missingMilliseconds = 5000;

const sweepMilliseconds = 5000;

/**
 * Stored credentials, fetched and decrypted. Kept in memory for under a minute, bounded, never on disk; same-moment
 * questions for one credential are one fetch and one decryption. Failures are not kept.
 */
export class Credentials {
  readonly #options: CredentialOptions;
  readonly #gangway: Gangway;
  readonly #cache: LRUCache<string, Kept>;
  readonly #sweep: NodeJS.Timeout;

  constructor(options: CredentialOptions) {
    const { configuration, concurrentDecryptions, now } = options;
    this.#options = options;
    this.#gangway = new Gangway(concurrentDecryptions);
    this.#cache = new LRUCache<string, Kept>({
      ...cacheOptions(configuration.cacheSize, now),
      dispose: (kept) => {
        if ("bytes" in kept) {
          kept.bytes.fill(0);
        }
      },
      fetchMethod: async (key, _, { options: entry }) => {
        const found = await this.fresh(nameIn(key));
        if (isRefusal(found)) {
          if (found.refusal !== "noCredential") {
            throw new Unkept(found);
          }
          entry.ttl = missingMilliseconds;
          return { refusal: "noCredential" };
        }
        entry.ttl = configuration.cacheSeconds * 1000;
        return { bytes: ownBytes(found.secret) };
      },
    });
    // The cache itself lets go of an entry only when somebody asks for it again, which may be never.
    this.#sweep = setInterval(() => this.#cache.purgeStale(), sweepMilliseconds);
    this.#sweep.unref();
  }

  /** The credential, from memory where it is there. */
  async credential(name: CredentialName): Promise<FoundCredential> {
    const status: LRUCache.Status<string, Kept> = {};
    const kept = await keptOrNot(() => this.#cache.fetch(keyOf(name), { status }));
    const found = "bytes" in kept ? secretOf(kept.bytes) : kept;
    const result = found !== undefined && isRefusal(found) ? found.refusal : "found";
    this.#options.metrics.credentials.inc({ result, cache: cacheUse(status.fetch) });
    // Overwritten between its fetch and now, because somebody had it forgotten: it is as good as not fetched.
    return found ?? this.fresh(name);
  }

  /** The credential as it is stored now. */
  async fresh(name: CredentialName): Promise<FoundCredential> {
    const { service, configuration, metrics } = this.#options;
    const answer = await service.envelope(name.email, name.slug);
    switch (answer.outcome) {
      case "missing":
        return { refusal: "noCredential" };
      case "unavailable":
        return { refusal: "unavailable", reason: answer.reason };
      case "unreadable":
        return { refusal: "unreadableCredential", reason: answer.reason };
      case "found": {
        const end = metrics.decryptSeconds.startTimer();
        const opened = await openEnvelope(answer.envelope, configuration, this.#gangway);
        end();
        const within = opened.outcome === "opened" ? secretWithin(opened.plaintext, opened.header, name) : opened;
        return within.outcome === "secret"
          ? { secret: within.secret }
          : { refusal: "unreadableCredential", reason: within.reason };
      }
    }
  }

  forget(name: CredentialName): void {
    this.#cache.delete(keyOf(name));
  }

  /** Overwrites what is kept. */
  close(): void {
    clearInterval(this.#sweep);
    this.#cache.clear();
  }
}

/** Memory of the secret's own: a part of the pool that short buffers share would keep all of that from being freed. */
function ownBytes(secret: string): Buffer {
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(secret));
  bytes.write(secret);
  return bytes;
}

/** Undefined where the bytes have been overwritten. */
function secretOf(bytes: Buffer): { readonly secret: string } | undefined {
  return bytes[0] === 0 ? undefined : { secret: bytes.toString("latin1") };
}

/** Neither an address nor a slug has a space. */
function keyOf({ email, slug }: CredentialName): string {
  return `${email} ${slug}`;
}

function nameIn(key: string): CredentialName {
  const [email = "", slug = ""] = key.split(" ");
  return { email, slug };
}
