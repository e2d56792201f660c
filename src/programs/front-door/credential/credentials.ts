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
  /** Milliseconds of a clock that never jumps. */
  readonly monotonic: () => number;
}

type FoundCredential = { readonly secret: string } | Rejection;

/** In the cache: bytes that are overwritten when the entry goes, or that nothing is stored. */
type CachedCredential = { readonly bytes: Buffer } | { readonly bytes: undefined };

const missing: CachedCredential = { bytes: undefined };

/** That nothing is stored is cached only briefly: the person is about to store it. */
const missingMilliseconds = 5000;

const sweepMilliseconds = 5000;

/**
 * Stored credentials, fetched and decrypted. Cached in memory for under a minute, bounded, never on disk; concurrent
 * lookups of one credential are one fetch and one decryption. Failures are not cached.
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
    // An expired secret is overwritten even when nobody asks for it again.
    this.#sweep = setInterval(() => this.#cache.purgeExpired(), sweepMilliseconds);
    this.#sweep.unref();
  }

  /** The credential, from memory where it is there. */
  async credential(name: CredentialName): Promise<FoundCredential> {
    const { outcome, use } = await this.#cache.get(keyOf(name));
    const found = isRejection(outcome) ? outcome : credentialIn(outcome);
    const result = found !== undefined && isRejection(found) ? found.rejection : "found";
    this.#options.metrics.credentials.inc({ result, cache: use });
    // Overwritten between its fetch and now, because somebody had it forgotten: fetch it again.
    return found ?? this.fresh(name);
  }

  /** The credential after another was refused: fetched anew unless somebody else has done so meanwhile. */
  async renewed(name: CredentialName, refused: string): Promise<FoundCredential> {
    const known = await this.credential(name);
    if (isRejection(known) || known.secret !== refused) {
      return known;
    }
    this.forget(name);
    return this.credential(name);
  }

  /** The credential as it is stored now. */
  async fresh(name: CredentialName): Promise<FoundCredential> {
    const { service, configuration, metrics } = this.#options;
    // A long tenant's slug can be longer than any under which something is stored.
    if (!credentialSlug.safeParse(name.slug).success) {
      return { rejection: "noCredential" };
    }
    const answer = await service.envelope(name.email, name.slug);
    switch (answer.outcome) {
      case "missing":
        return { rejection: "noCredential" };
      case "unavailable":
        return { rejection: "unavailable", reason: answer.reason };
      case "unreadable":
        return { rejection: "unreadableCredential", reason: answer.reason };
      case "found": {
        const end = metrics.decryptSeconds.startTimer();
        const opened = await openEnvelope(answer.envelope, configuration, this.#limitDecryption);
        end();
        const within =
          opened.outcome === "opened" ? secretWithin(opened, name, configuration.envelopeTenantRequired) : opened;
        return within.outcome === "secret"
          ? { secret: within.secret }
          : { rejection: "unreadableCredential", reason: within.reason };
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
function credentialIn({ bytes }: CachedCredential): FoundCredential | undefined {
  if (bytes === undefined) {
    return { rejection: "noCredential" };
  }
  return bytes[0] === 0 ? undefined : { secret: bytes.toString("latin1") };
}

/** Neither an address nor a slug nor a tenant has a space. */
function keyOf({ email, slug, tenant }: CredentialName): string {
  return tenant === undefined ? `${email} ${slug}` : `${email} ${slug} ${tenant}`;
}

function nameIn(key: string): CredentialName {
  const [email = "", slug = "", tenant] = key.split(" ");
  return { email, slug, tenant };
}
