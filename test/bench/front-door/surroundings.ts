// The environment of a front door, and the shipped front door, for the benchmark.
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { endProcess } from "../../harness/end-process.ts";
import { bearer, callBody, callHeaders } from "../../harness/front-door/cases.ts";
import { type CountingPlatform, startCountingPlatform } from "../../harness/front-door/counting-platform.ts";
import { jweCompact, makeEnvelopeKeys } from "../../harness/front-door/envelopes.ts";
import { type InternalService, startInternalService } from "../../harness/front-door/internal-service.ts";
import { type Issuer, startIssuer } from "../../harness/front-door/issuer.ts";
import { type Environment, type Program, prepareProgram } from "../../harness/front-door/program.ts";
import { credentialSlug, prefix } from "../../harness/front-door/rig.ts";
import type { Load } from "./load.ts";

export type Headers = Readonly<Record<string, string>>;

/** Issuer, internal service, and platform on this machine, with front doors in front of them. */
export interface Surroundings {
  readonly issuer: Issuer;
  readonly internal: InternalService;
  readonly platform: CountingPlatform;
  /** Every user's credential for the platform. */
  readonly credential: string;
  /** Starts a front door; `stop` ends it together with the rest. */
  startDoor(more?: Environment): Promise<Program>;
  /** Starts a file of this folder as a process. Returns the address that it prints. */
  startServer(file: string, input: object): Promise<string>;
  /**
   * A user with a stored credential, and the same as notebook token under other slugs. Returns a token for the user.
   */
  enter(email: string, ...notebookSlugs: readonly string[]): string;
  stop(): Promise<void>;
}

const credential = "the-credential-of-everybody";
const unlimited: Environment = {
  FRONT_DOOR_REQUESTS_PER_MINUTE: "10000000",
  FRONT_DOOR_ENTITLED_SECONDS: "3600",
  FRONT_DOOR_CREDENTIAL_CACHE_SECONDS: "300",
};

export async function startSurroundings(): Promise<Surroundings> {
  const issuer = await startIssuer();
  const internal = await startInternalService("the-internal-secret-of-the-bench-0123456789");
  const platform = await startCountingPlatform();
  platform.credentials.add(credential);
  const { publicKey, privatePem } = makeEnvelopeKeys();
  const envelope = await jweCompact(credential, publicKey);
  // A record of each request would become part of the benchmark's load.
  const forget = setInterval(() => {
    platform.reset();
    internal.reset();
  }, 100);
  const directory = await mkdtemp(join(tmpdir(), "platform-workbench-bench-"));
  const addresses = { issuer, internal, platform, envelopeKeys: { privatePem } };
  const start = await prepareProgram(directory, addresses);
  const programs: Program[] = [];
  const children: ChildProcess[] = [];
  return {
    issuer,
    internal,
    platform,
    credential,
    async startDoor(more = {}) {
      const program = await start({ ...unlimited, ...more });
      programs.push(program);
      return program;
    },
    async startServer(file, input) {
      const child = spawn(process.execPath, [join(import.meta.dirname, file), JSON.stringify(input)], {
        stdio: ["ignore", "pipe", "inherit"],
      });
      children.push(child);
      for await (const line of createInterface(child.stdout)) {
        if (line.startsWith("http://")) return line;
      }
      throw new Error(`${file} ended before it answered`);
    },
    enter(email, ...notebookSlugs) {
      internal.entitled.add(email);
      for (const slug of [credentialSlug, ...notebookSlugs]) internal.store(email, slug, envelope);
      return issuer.sign({ email, sub: email, exp: Math.floor(Date.now() / 1000) + 3600 });
    },
    async stop() {
      clearInterval(forget);
      for (const child of children) await endProcess(child);
      for (const program of programs) await program.stop();
      await Promise.all([issuer.stop(), internal.stop(), platform.stop()]);
      await rm(directory, { recursive: true, force: true });
    },
  };
}

const toolHeaders: Headers = Object.fromEntries(callHeaders);

/** A load of calls of the cases' tool. */
export function callLoad(name: string, door: Program, token: string | undefined, expected: number): Load {
  return {
    name,
    origin: door.url,
    path: "/mcp",
    method: "POST",
    expected,
    hasMetrics: true,
    body: callBody(),
    headers: [token === undefined ? toolHeaders : withToken(toolHeaders, token)],
  };
}

export function withToken(headers: Headers, token: string): Headers {
  return { ...headers, ...Object.fromEntries(bearer(`${prefix}${token}`)) };
}

/** The token with a signature that belongs to none of the issuer's keys. */
export function badlySigned(token: string): string {
  const [header = "", payload = "", signature = ""] = token.split(".");
  return `${header}.${payload}.${"B".repeat(signature.length - 1)}A`;
}

/** A value of a front door's metrics. */
export async function metricOf({ url }: Pick<Program, "url">, name: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return Number(new RegExp(`^${name} ([\\d.e+-]+)`, "m").exec(text)?.[1] ?? Number.NaN);
}

/** Resident memory in MB. */
export async function memoryOf(door: Pick<Program, "url">): Promise<number> {
  return (await metricOf(door, "process_resident_memory_bytes")) / 1e6;
}

/** The maximum resident memory of a front door in MB, or the current one if the system does not report the maximum. */
export async function peakMemoryOf(door: Program): Promise<number> {
  const status = await readFile(`/proc/${door.child.pid}/status`, "utf8").catch(() => "");
  const kilobytes = /^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1];
  return kilobytes === undefined ? memoryOf(door) : (Number(kilobytes) * 1024) / 1e6;
}

/** Makes the system count the maximum resident memory from now on, if it can. */
export async function resetPeakMemory({ child }: Program): Promise<void> {
  await writeFile(`/proc/${child.pid}/clear_refs`, "5").catch(() => undefined);
}
