// The front door as it is shipped: a bundled file that runs in its own process and is configured by its environment.
import { type ChildProcess, spawn } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { buildFrontDoor } from "../../../scripts/build/bundle.ts";
import { endProcess } from "../end-process.ts";
import { freePort } from "../free-port.ts";
import { until } from "../until.ts";
import { internalResource } from "./internal-service.ts";
import { type Addresses, prefix } from "./rig.ts";

/** A running front door. */
export interface Program {
  readonly url: string;
  readonly child: ChildProcess;
  /** Everything that it has printed. */
  output(): string;
  /** Stops it with a signal; returns its exit code. */
  stop(): Promise<number | null>;
}

/** Milliseconds after which a test fails if the program does not become ready or does not end. */
const patience = 120_000;

export type Environment = Readonly<Record<string, string>>;

/** The options with which deployment/front-door/Dockerfile starts the program to limit its memory usage. */
export const boundedMemory: Environment = {
  NODE_OPTIONS: "--max-semi-space-size=2 --max-old-space-size=192",
  MALLOC_ARENA_MAX: "1",
  MALLOC_TRIM_THRESHOLD_: "131072",
};

/** Bundles the program into a directory, next to the private key. Returns a function that starts it. */
export async function prepareProgram(
  directory: string,
  { issuer, internal, platform, envelopeKeys }: Addresses,
): Promise<(more?: Environment) => Promise<Program>> {
  const file = join(directory, "front-door.cjs");
  await buildFrontDoor({ production: true, outfile: file });
  await writeFile(join(directory, "private-key.pem"), envelopeKeys.privatePem);
  const usual = {
    FRONT_DOOR_PUBLIC_URL: "https://tools.example.com",
    FRONT_DOOR_AUTHORIZATION_SERVERS: issuer.url,
    FRONT_DOOR_TOKEN_PREFIX: prefix,
    FRONT_DOOR_JWKS_URL: issuer.keySetUrl,
    FRONT_DOOR_ISSUER: issuer.url,
    FRONT_DOOR_AUDIENCE: issuer.audience,
    FRONT_DOOR_ALLOWED_HOSTS: "127.0.0.1",
    FRONT_DOOR_INTERNAL_BASE_URL: internal.url,
    FRONT_DOOR_INTERNAL_SECRET: internal.secret,
    FRONT_DOOR_ENTITLEMENT_RESOURCE: internalResource,
    FRONT_DOOR_PRIVATE_KEY_FILE: join(directory, "private-key.pem"),
    FRONT_DOOR_PLATFORM_BASE_URL: platform.url,
    FRONT_DOOR_VALIDATION_STEP_MILLISECONDS: "20",
    // All load comes from one address.
    FRONT_DOOR_CONNECTIONS_PER_ADDRESS: "10000",
    FRONT_DOOR_FAILED_TOKENS_PER_MINUTE: "10000000",
  };
  return async (more = {}) => {
    const port = await freePort();
    const environment = { ...usual, FRONT_DOOR_LISTEN: `127.0.0.1:${port}`, ...more };
    return startProgram(file, `http://127.0.0.1:${port}`, environment);
  };
}

async function startProgram(file: string, url: string, environment: Environment): Promise<Program> {
  const child = spawn(process.execPath, [file], { env: { ...environment }, stdio: ["ignore", "pipe", "pipe"] });
  const parts: Buffer[] = [];
  child.stdout.on("data", (part: Buffer) => parts.push(part));
  child.stderr.on("data", (part: Buffer) => parts.push(part));
  const output = (): string => Buffer.concat(parts).toString("utf8");
  const isReady = (): Promise<boolean> => {
    if (child.exitCode !== null) throw new Error(`the front door ended: ${output()}`);
    return fetch(`${url}/readyz`).then(
      ({ status }) => status === 200,
      () => false,
    );
  };
  try {
    await until("the front door to be ready", isReady, { seen: output });
  } catch (error) {
    await endProcess(child, patience);
    throw error;
  }
  return {
    url,
    child,
    output,
    stop: async () => {
      await endProcess(child, patience);
      return child.exitCode;
    },
  };
}
