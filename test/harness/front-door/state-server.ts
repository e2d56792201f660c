// A real Valkey or Redis server on its own port, which tests kill, stop, and restart, and fake servers.
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Valkey } from "iovalkey";
import { MissingPartError } from "../../../scripts/set-up/part.ts";
import { stateServer } from "../../../scripts/set-up/system-programs.ts";
import type { SharedStateConfiguration } from "../../../src/programs/front-door/config/configuration.ts";
import { endProcess } from "../end-process.ts";
import { freePort } from "../free-port.ts";
import { suspendProcess } from "../suspend-process.ts";
import { untilItListens } from "./listening.ts";

export interface StateServer {
  readonly port: number;
  readonly processId: () => number;
  /** The configuration for a front door. */
  readonly configuration: SharedStateConfiguration;
  /** A separate client for the tests. */
  client(): Valkey;
  /** Kills it, like a power failure. */
  kill(): Promise<void>;
  /** Starts it again, empty, on the same port. */
  restart(): Promise<void>;
  /**
   * Blocks this process until another process has created the first key, and the server has sent all of its earlier
   * replies.
   */
  blockUntilWritten(): void;
  /** Keeps its connections, but doesn't reply until `resume`. */
  suspend(): Promise<void>;
  resume(): void;
  stop(): Promise<void>;
}

interface StateServerOptions {
  readonly password?: string;
  /** PEM files. If defined, the server accepts only TLS. */
  readonly tls?: { readonly certificateFile: string; readonly keyFile: string; readonly certificate: string };
}

/** For tests that don't test timing, because a busy machine may take a while. */
const timeLimitMilliseconds = 10_000;
/** Milliseconds after which a test fails if a server does nothing. */
const patience = 120_000;

/** Polls until there is a key. The reply follows those of all earlier requests. */
const untilWritten = `
  const socket = require("node:net").connect(Number(process.argv[1]), "127.0.0.1");
  socket.on("data", (part) => {
    const answer = part.toString();
    if (answer.startsWith("+PONG")) process.exit(0);
    socket.write(answer.startsWith(":0") ? "DBSIZE\\r\\n" : "PING\\r\\n");
  });
  socket.write("DBSIZE\\r\\n");
`;

/** The configuration of a front door for a store on this port. */
export function storeOn(port: number, more: Partial<SharedStateConfiguration> = {}): SharedStateConfiguration {
  return {
    host: "127.0.0.1",
    port,
    database: 0,
    isSecure: false,
    prefix: "door:",
    timeLimitMilliseconds,
    whenUnavailable: "closed",
    ...more,
  };
}

export async function startStateServer({ password, tls }: StateServerOptions = {}): Promise<StateServer> {
  const found = await stateServer.find();
  if (found === undefined)
    throw new MissingPartError(stateServer.name, "it is not on this machine.", stateServer.remedy);
  const port = await freePort();
  const directory = await mkdtemp(join(tmpdir(), "platform-workbench-state-"));
  const listening = tls === undefined ? ["--port", String(port)] : ["--port", "0", "--tls-port", String(port)];
  const settings = [
    ...[...listening, "--bind", "127.0.0.1", "--dir", directory, "--save", "", "--appendonly", "no"],
    ...(password === undefined ? [] : ["--requirepass", password]),
    ...(tls === undefined
      ? []
      : [
          ...["--tls-cert-file", tls.certificateFile, "--tls-key-file", tls.keyFile],
          ...["--tls-ca-cert-file", tls.certificateFile, "--tls-auth-clients", "no"],
        ]),
  ];
  const clients: Valkey[] = [];
  let child = await start(found.executable, settings, port);
  return {
    port,
    processId: () => child.pid ?? 0,
    configuration: storeOn(port, {
      ...(password === undefined ? {} : { password }),
      ...(tls === undefined ? {} : { host: "localhost", isSecure: true, certificateAuthority: tls.certificate }),
    }),
    client() {
      const client = new Valkey({
        port,
        host: "127.0.0.1",
        lazyConnect: true,
        ...(password === undefined ? {} : { password }),
      });
      client.on("error", () => {});
      clients.push(client);
      return client;
    },
    async kill() {
      const gone = new Promise<void>((resolve) => child.once("exit", () => resolve()));
      child.kill("SIGKILL");
      await gone;
    },
    async restart() {
      child = await start(found.executable, settings, port);
    },
    blockUntilWritten() {
      const { status, stderr } = spawnSync(process.execPath, ["-e", untilWritten, String(port)], { timeout: patience });
      if (status !== 0) throw new Error(`the state server has no key: ${stderr.toString()}`);
    },
    async suspend() {
      if (child.pid === undefined) throw new Error("the state server doesn't run");
      await suspendProcess(child.pid);
    },
    resume: () => void child.kill("SIGCONT"),
    async stop() {
      for (const client of clients) client.disconnect();
      child.kill("SIGCONT");
      await endProcess(child);
      await rm(directory, { recursive: true, force: true });
    },
  };
}

async function start(executable: string, settings: readonly string[], port: number): Promise<ChildProcess> {
  const child = spawn(executable, [...settings], { stdio: ["ignore", "pipe", "pipe"] });
  let said = "";
  child.stdout.on("data", (part: Buffer) => {
    said += part.toString();
  });
  child.stderr.resume();
  await untilItListens("the state server", port, child, () => said);
  return child;
}

/** A server that accepts connections and handles them as the test specifies. */
export interface FakeStore {
  readonly port: number;
  readonly connections: () => number;
  stop(): Promise<void>;
}

export async function startFakeStore(serve: (socket: Socket) => void): Promise<FakeStore> {
  const sockets = new Set<Socket>();
  let connections = 0;
  const server: Server = createServer((socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on("error", () => {}).once("close", () => sockets.delete(socket));
    serve(socket);
  });
  const port = await freePort();
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  return {
    port,
    connections: () => connections,
    stop: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
