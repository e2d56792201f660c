import pLimit, { type LimitFunction } from "p-limit";
import { credentialSlug } from "../../../api/catalogue/models/front-door.ts";
import type { CredentialConfiguration } from "../config/configuration.ts";
import { isRejection, type Rejection } from "../http/rejections.ts";
import type { Metrics } from "../observability/metrics.ts";
import { type CredentialName, openEnvelope, secretWithin } from "./decryption.ts";
import type { InternalService } from "./internal-service.ts";
import { LookupCache, type LookupOutcome } from "./lookup-cache.ts";

interface CredentialOptions {
  readonly configuration: CredentialConfiguration;
  readonly concurrentDecryptions: number;
  readonly service: Pick<InternalService, "envelope">;
  readonly metrics: Metrics;
  /** A monotonic clock, in milliseconds. */
  readonly monotonic: () => number;
}

type FoundCredential = { readonly secret: string } | Rejection;

/** A cached credential. Its bytes are overwritten when it leaves the cache. Undefined means that nothing is stored. */
type CachedCredential = { readonly bytes: Buffer } | { readonly bytes: undefined };

const missing: CachedCredential = { bytes: undefined };

/** Milliseconds for which a missing credential is cached. Short, because the user may be about to store it. */
const missingMilliseconds = 5000;

const sweepMilliseconds = 5000;

/**
 * Fetches and decrypts stored credentials. Caches them in memory only, for a limited time and up to a limited number.
 * Concurrent lookups of one credential share one fetch and one decryption. Failures are not cached.
 */
export class Credentials {
  readonly #options: CredentialOptions;
  readonly #limitDecryption: LimitFunction;
  readonly #cache: LookupCache<CachedCredential>;
  readonly #sweep: NodeJS.Timeout;

  constructor(options: CredentialOptions) {
    const { configuration, concurrentDecryptions, monotonic } = options;
    this.#options = options;
    this.#limitDecryption = pLimit(concurrentDecryptions);
    this.#cache = new LookupCache<CachedCredential>({
      maximumSize: configuration.cacheSize,
      monotonic,
      lookUp: async (key): Promise<LookupOutcome<CachedCredential>> => {
        const found = await this.fresh(nameIn(key));
        if (!isRejection(found)) {
          return { value: { bytes: ownBytes(found.secret) }, milliseconds: configuration.cacheSeconds * 1000 };
        }
        return found.rejection === "noCredential" ? { value: missing, milliseconds: missingMilliseconds } : found;
      },
      dispose: ({ bytes }) => bytes?.fill(0),
    });
    // Overwrites expired secrets, even if they are not requested again.
    this.#sweep = setInterval(() => this.#cache.purgeExpired(), sweepMilliseconds);
    this.#sweep.unref();
  }

  /** The credential, from the cache if possible. */
  async credential(name: CredentialName): Promise<FoundCredential> {
    const { outcome, use } = await this.#cache.get(credentialKey(name));
    const found = isRejection(outcome) ? outcome : credentialIn(outcome);
    const result = found !== undefined && isRejection(found) ? found.rejection : "found";
    this.#options.metrics.credentials.inc({ result, cache: use });
    // Another request removed the credential, which overwrote its bytes.
    return found ?? this.fresh(name);
  }

  /** The credential after the platform rejected `refused`. Fetches it again unless another request already did. */
  async renewed(name: CredentialName, refused: string): Promise<FoundCredential> {
    const known = await this.credential(name);
    if (isRejection(known) || known.secret !== refused) {
      return known;
    }
    this.delete(name);
    return this.credential(name);
  }

  /** The currently stored credential. Bypasses the cache. */
  async fresh(name: CredentialName): Promise<FoundCredential> {
    const { service, configuration, metrics } = this.#options;
    // With a long tenant, the slug can exceed its maximum length.
    if (!credentialSlug.safeParse(name.slug).success) {
      return { rejection: "noCredential" };
    }
    const response = await service.envelope(name.email, name.slug);
    switch (response.outcome) {
      case "missing":
        return { rejection: "noCredential" };
      case "unavailable":
        return { rejection: "unavailable", reason: response.reason };
      case "unreadable":
        return { rejection: "unreadableCredential", reason: response.reason };
      case "found": {
        const end = metrics.decryptSeconds.startTimer();
        const opened = await openEnvelope(response.envelope, configuration, this.#limitDecryption);
        end();
        const within =
          opened.outcome === "opened" ? secretWithin(opened, name, configuration.envelopeTenantRequired) : opened;
        return within.outcome === "secret"
          ? { secret: within.secret }
          : { rejection: "unreadableCredential", reason: within.reason };
      }
    }
  }

  delete(name: CredentialName): void {
    this.#cache.delete(credentialKey(name));
  }

  /** Overwrites all cached credentials, and stops. */
  close(): void {
    clearInterval(this.#sweep);
    this.#cache.clear();
  }
}

/** Copies a secret to separate memory. A slice of Node's shared buffer pool would keep the entire pool alive. */
function ownBytes(secret: string): Buffer {
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(secret));
  bytes.write(secret);
  return bytes;
}

/** Undefined if the bytes were overwritten. */
function credentialIn({ bytes }: CachedCredential): FoundCredential | undefined {
  if (bytes === undefined) {
    return { rejection: "noCredential" };
  }
  return bytes[0] === 0 ? undefined : { secret: bytes.toString("latin1") };
}

/** The cache key. Addresses, slugs, and tenants contain no spaces. */
function credentialKey({ email, slug, tenant }: CredentialName): string {
  return tenant === undefined ? `${email} ${slug}` : `${email} ${slug} ${tenant}`;
}

function nameIn(key: string): CredentialName {
  const [email = "", slug = "", tenant] = key.split(" ");
  return { email, slug, tenant };
}
