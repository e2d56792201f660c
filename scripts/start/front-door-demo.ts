import { generateKeyPairSync, randomBytes } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { shortIdOf } from "../../src/api/families/workspaces.ts";
import { configurationFrom } from "../../src/programs/front-door/config/configuration-reading.ts";
import { type FrontDoor, startFrontDoor } from "../../src/programs/front-door/server.ts";
import { startInternalService } from "../../src/programs/sample-tenant/internal-service.ts";
import type { SampleTenant } from "../../src/programs/sample-tenant/server.ts";

export interface DemoOptions {
  readonly tenant: SampleTenant;
  /** A free port by default. */
  readonly port?: number;
  /** True to also offer tools that make changes. */
  readonly mayChange: boolean;
  readonly logLevel?: string;
}

export interface Demo {
  readonly frontDoor: FrontDoor;
  /** With the prefix, as clients send it. */
  readonly token: string;
  readonly email: string;
  /** The value of `X-Webui-Secret`. */
  readonly internalSecret: string;
  stop(): Promise<void>;
}

const email = "demo@example.com";
const prefix = "platform_";
/** Lifetime of a demo's token, in hours. */
export const tokenHours = 12;

/** Starts a front door with its environment: an issuer, an internal service, and the sample tenant. */
export async function startDemo({ tenant, port = 0, mayChange, logLevel = "info" }: DemoOptions): Promise<Demo> {
  const { publicKey, privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const { platformToken, workspaces } = tenant;
  const notebookTokens = workspaces.map(({ id }) => ({ id, token: tenant.notebookToken(id) }));
  const resource = "remote-tools";
  const audience = "platform-tools";
  const internal = await startInternalService({
    publicKey,
    entitled: { [resource]: [email] },
    stored: [
      { email, slug: "platform", credential: platformToken },
      ...notebookTokens.map(({ id, token }) => ({ email, slug: `notebook-${shortIdOf(id)}`, credential: token })),
    ],
    isValid: (credential) => [platformToken, ...notebookTokens.map(({ token }) => token)].includes(credential),
  });
  const issuer = await startDemoIssuer();
  const read = configurationFrom({
    environment: {
      FRONT_DOOR_LISTEN: `127.0.0.1:${port}`,
      FRONT_DOOR_TOKEN_PREFIX: prefix,
      FRONT_DOOR_JWKS_URL: issuer.keySetUrl,
      FRONT_DOOR_ISSUER: issuer.issuer,
      FRONT_DOOR_AUDIENCE: audience,
      FRONT_DOOR_INTERNAL_BASE_URL: internal.url,
      FRONT_DOOR_INTERNAL_SECRET: internal.secret,
      FRONT_DOOR_ENTITLEMENT_RESOURCE: resource,
      FRONT_DOOR_PRIVATE_KEY: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
      FRONT_DOOR_PLATFORM_BASE_URL: tenant.url,
      FRONT_DOOR_READ_ONLY: String(!mayChange),
      FRONT_DOOR_STATE_SECRET: randomBytes(32).toString("hex"),
      FRONT_DOOR_LOG_LEVEL: logLevel,
    },
  });
  if (read.outcome === "invalid") {
    throw new Error(read.errors.join("\n"));
  }
  const frontDoor = await startFrontDoor(read.configuration);
  return {
    frontDoor,
    token: `${prefix}${await issuer.token(email, audience, tokenHours * 3600)}`,
    email,
    internalSecret: internal.secret,
    async stop() {
      await frontDoor.close();
      await Promise.all([internal.stop(), issuer.stop()]);
    },
  };
}

/** An issuer for the demo. Publishes a key and signs tokens for any person. */
interface DemoIssuer {
  readonly issuer: string;
  readonly keySetUrl: string;
  /** A token for a person, without the prefix, that is valid for this number of seconds. */
  token(email: string, audience: string, seconds: number): Promise<string>;
  stop(): Promise<void>;
}

/** Starts the issuer on 127.0.0.1 with a new key. */
async function startDemoIssuer(): Promise<DemoIssuer> {
  const { publicKey, privateKey } = await generateKeyPair("RS256");
  const kid = "demo";
  const keySet = JSON.stringify({ keys: [{ ...(await exportJWK(publicKey)), kid, use: "sig", alg: "RS256" }] });
  const server = createServer((request, response) => {
    const isKeySet = request.method === "GET" && request.url === "/jwks.json";
    response.writeHead(isKeySet ? 200 : 404, { "content-type": "application/json" }).end(isKeySet ? keySet : "{}");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    issuer,
    keySetUrl: `${issuer}/jwks.json`,
    token: (email, audience, seconds) =>
      new SignJWT({ email, email_verified: true })
        .setProtectedHeader({ alg: "RS256", kid })
        .setIssuer(issuer)
        .setAudience(audience)
        .setSubject(`demo|${email}`)
        .setIssuedAt()
        .setExpirationTime(`${seconds} seconds`)
        .sign(privateKey),
    stop: async () => {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
