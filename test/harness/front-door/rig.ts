// A front door with its environment: an issuer, an internal service, a platform, and a server that must never receive a
// request.
import { createPrivateKey } from "node:crypto";
import { createServer } from "node:http";
import { dialects } from "../../../src/api/http/dialects.ts";
import { lazy } from "../../../src/api/lazy.ts";
import type { Clocks } from "../../../src/programs/front-door/clock.ts";
import type { Configuration } from "../../../src/programs/front-door/config/configuration.ts";
import { type FrontDoor, type FrontDoorParts, startFrontDoor } from "../../../src/programs/front-door/server.ts";
import { until } from "../until.ts";
import { type CountingPlatform, startCountingPlatform } from "./counting-platform.ts";
import { type EnvelopeKeys, jweCompact, makeEnvelopeKeys } from "./envelopes.ts";
import { type InternalService, internalResource, startInternalService } from "./internal-service.ts";
import { type Issuer, startIssuer } from "./issuer.ts";
import { type LocalServer, serveLocally } from "./local-server.ts";

/** A user with a stored credential that the platform accepts. */
export interface Person {
  readonly email: string;
  readonly credential: string;
}

export interface PersonOptions {
  readonly entitled?: boolean;
  /** The stored credential; a new one by default. */
  readonly credential?: string;
  /** Body of the internal service's response instead of a valid envelope; null if nothing is stored. */
  readonly envelope?: unknown;
  /** Creates the envelope from the credential. */
  readonly seal?: (credential: string, email: string) => unknown;
}

/** The number of requests by server. */
export interface Reached {
  readonly keySet: number;
  readonly entitlement: number;
  readonly credential: number;
  readonly platform: number;
  readonly stranger: number;
}

export interface Rig {
  readonly frontDoor: FrontDoor;
  readonly issuer: Issuer;
  readonly internal: InternalService;
  readonly platform: CountingPlatform;
  /** A server that must never receive a request: the target of redirects and of addresses in tokens. */
  readonly stranger: LocalServer;
  readonly envelopeKeys: EnvelopeKeys;
  /** A new user, who is in no cache. */
  person(options?: PersonOptions): Promise<Person>;
  /** The claims of a token that differ between users. */
  claims(person: Person): Readonly<Record<string, unknown>>;
  /** All claims of a valid token. */
  goodClaims(person: Person): Readonly<Record<string, unknown>>;
  token(person: Person): string;
  /** Removes all faults. */
  repair(): void;
  /** The requests since the last call of this function. */
  takeReached(): Reached;
  stop(): Promise<void>;
}

export interface RigOptions {
  readonly configure?: (usual: Configuration, around: Around) => Configuration;
  readonly parts?: FrontDoorParts;
  /** Set before the front door starts. */
  readonly prepare?: (around: Around) => void;
  /** False to return before the front door reports that it is ready. */
  readonly waitUntilReady?: boolean;
}

interface Around {
  readonly issuer: Issuer;
  readonly internal: InternalService;
  readonly platform: CountingPlatform;
  readonly envelopeKeys: EnvelopeKeys;
}

/** The data for a configuration, which is sent to another process as JSON. */
export interface Addresses {
  readonly issuer: { readonly url: string; readonly keySetUrl: string; readonly audience: string };
  readonly internal: { readonly url: string; readonly secret: string };
  readonly platform: { readonly url: string };
  readonly envelopeKeys: { readonly privatePem: string };
}

export const prefix = "pwt_";
export const credentialSlug = "platform";
const clockSkewSeconds = 30;
export const allowedOrigin = "https://app.example.com";

/** A clock that a test moves, in seconds. `passed` moves both of its times, `wallJump` only the wall clock. */
export interface MovableClock extends Clocks {
  passed: number;
  wallJump: number;
}

/** A still clock's monotonic time moves with `passed` alone. */
export function movableClock({ isStill = false } = {}): MovableClock {
  const start = performance.now();
  const clock: MovableClock = {
    passed: 0,
    wallJump: 0,
    wall: () => Date.now() + (clock.passed + clock.wallJump) * 1000,
    monotonic: () => (isStill ? start : performance.now()) + clock.passed * 1000,
  };
  return clock;
}

let people = 0;

/** The envelope keys of every rig, because new ones for each cost more than many requests. */
const rigKeys = lazy(async () => makeEnvelopeKeys());

/** Starts the rig on 127.0.0.1. */
export async function startRig(options: RigOptions = {}): Promise<Rig> {
  const issuer = await startIssuer();
  const internal = await startInternalService("the-internal-secret-of-the-tests-0123456789");
  const platform = await startCountingPlatform();
  const envelopeKeys = await rigKeys();
  let strangerRequests = 0;
  const stranger = await serveLocally(
    createServer((_, response) => {
      strangerRequests += 1;
      response.writeHead(200, { "content-type": "application/json" }).end("true");
    }),
  );
  const around = { issuer, internal, platform, envelopeKeys };
  options.prepare?.(around);
  const usual = usualConfiguration(around);
  const frontDoor = await startFrontDoor(options.configure?.(usual, around) ?? usual, options.parts);
  if (options.waitUntilReady !== false) await ready(frontDoor);
  internal.reset();
  platform.reset();
  issuer.reset();

  const rig: Rig = {
    frontDoor,
    issuer,
    internal,
    platform,
    stranger,
    envelopeKeys,
    async person({ entitled = true, credential, envelope, seal } = {}) {
      people += 1;
      const own = `credential-of-person-${people}-9f8e7d`;
      const person = { email: `person-${people}@example.com`, credential: credential ?? own };
      if (entitled) internal.entitled.add(person.email);
      platform.credentials.add(person.credential);
      if (envelope !== null) {
        const sealed = seal?.(person.credential, person.email) ?? jweCompact(person.credential, envelopeKeys.publicKey);
        internal.store(person.email, credentialSlug, envelope ?? (await sealed));
      }
      return person;
    },
    claims: ({ email }) => ({ sub: `subject of ${email}`, email }),
    goodClaims: (person) => ({ ...issuer.usualClaims(), ...rig.claims(person) }),
    token: (person) => issuer.sign(rig.claims(person)),
    repair() {
      internal.fail("entitlement", undefined);
      internal.fail("credential", undefined);
      platform.responseWith(undefined);
      issuer.responseKeySet({ kind: "serve" });
    },
    takeReached() {
      const reached = {
        keySet: issuer.keySetRequests,
        entitlement: internal.count("entitlement"),
        credential: internal.count("credential"),
        platform: platform.requests.length,
        stranger: strangerRequests + internal.count("other") + issuer.otherRequests,
      };
      strangerRequests = 0;
      internal.reset();
      platform.reset();
      issuer.reset();
      return reached;
    },
    async stop() {
      await frontDoor.close();
      await Promise.all([issuer, internal, platform, stranger].map((server) => server.stop()));
    },
  };
  return rig;
}

/** Waits until the front door has its key set. */
export async function ready(frontDoor: FrontDoor): Promise<void> {
  // A request for the key set that timed out is retried after an increasing pause.
  await until("the front door to be ready", async () => {
    const response = await fetch(`${frontDoor.internalUrl}/readyz`);
    await response.arrayBuffer();
    return response.status === 200;
  });
}

/** A configuration for tests, with short timeouts and rate limits that are not reached. */
function usualConfiguration({ issuer, internal, platform, envelopeKeys }: Addresses): Configuration {
  return {
    listen: { host: "127.0.0.1", port: 0 },
    trustedProxies: [],
    public: {
      url: new URL("https://tools.example.com"),
      authorizationServers: [issuer.url],
      allowedHosts: new Set(["127.0.0.1", "localhost", "tools.example.com"]),
      allowedOrigins: new Set([allowedOrigin]),
    },
    token: {
      prefix,
      prefixRequired: true,
      jwksUrl: new URL(issuer.keySetUrl),
      issuer: issuer.url,
      audiences: [issuer.audience],
      emailClaim: "email",
      emailVerifiedRequired: false,
      lowerCaseEmail: true,
      allowNonAsciiEmail: false,
      tenantClaim: "tenant",
      clockSkewSeconds,
      maximumLifetimeSeconds: 24 * 3600,
      revocationSeconds: 30 * 24 * 3600,
    },
    jwks: { freshSeconds: 600, staleSeconds: 86_400, cooldownSeconds: 30, timeLimitMilliseconds: 1_500 },
    internal: {
      baseUrl: new URL(internal.url),
      secrets: [internal.secret, "the-internal-secret-before-it-0123456789"],
      resource: internalResource,
      emailParameter: "email",
      resourceParameter: "resource",
      timeLimitMilliseconds: 2_000,
      allowedSeconds: 30,
      deniedSeconds: 5,
    },
    credentials: {
      slug: credentialSlug,
      notebookSlug: "notebook-{workspace_short_id}",
      envelopeTenantRequired: false,
      cacheSeconds: 30,
      cacheSize: 1000,
      keys: [{ kid: "envelope-1", key: createPrivateKey(envelopeKeys.privatePem) }],
      allowOaepSha1: false,
      allowPlainEnvelope: true,
    },
    platform: { baseUrl: platform.url, dialect: dialects.documented, contentServer: {} },
    tools: {
      toolsets: [],
      readOnly: true,
      runCells: false,
      confirmation: "required",
      maximumResultCharacters: 40_000,
      stateSecret: "the-state-secret-of-the-tests-0123456789",
    },
    limits: {
      maximumHeaderBytes: 16 * 1024,
      maximumBodyBytes: 1 << 20,
      headersMilliseconds: 10_000,
      requestMilliseconds: 60_000,
      callMilliseconds: 30_000,
      maximumConnections: 10_000,
      connectionsPerAddress: 10_000,
      failedTokensPerMinute: 1_000_000,
      requestsPerMinute: 1_000_000,
      validationsPerMinute: 1_000_000,
      validationStepMilliseconds: 20,
      concurrentDecryptions: 4,
    },
    logLevel: "silent",
    drainSeconds: 0,
    graceSeconds: 5,
  };
}
