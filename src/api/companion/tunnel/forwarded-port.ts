import { createServer, type Server, type Socket } from "node:net";
import { errorMessage } from "../../error-message.ts";
import { phrase, type Text } from "../../phrase.ts";
import { WordedError } from "../../worded-error.ts";
import { checkFirstBytes } from "./first-request.ts";
import type { Tunnel } from "./tunnel.ts";
import { type TunnelStream, TunnelStreamError } from "./tunnel-stream.ts";

const address = "127.0.0.1";
/** Maximum number of connections at a time. */
const maxConnections = 64;
/** Milliseconds for which a new connection waits for the companion. */
const tunnelTimeoutMs = 30_000;
/** Milliseconds after which something that only looks like the beginning of a request is passed on. */
const firstLineMs = 2000;

export interface ForwardedPortOptions {
  /** The port of the workspace. */
  readonly port: number;
  /** The tunnel of the workspace. It is asked for with each connection, and may have to start the companion first. */
  readonly tunnel: (signal: AbortSignal) => Promise<Tunnel>;
  /** Other hosts under which a browser reaches the port (`checkFirstBytes`). */
  readonly hosts: () => readonly string[];
  /** Called when `problem` or `connections` has changed. */
  readonly onChange: () => void;
  /** The words for a reason, in the language of the user. */
  readonly wordsOf: (reason: Text) => string;
  readonly tunnelTimeoutMs?: number;
}

/** A port of a workspace on this computer's loopback: what connects to it is connected to the workspace's port. */
export class ForwardedPort {
  readonly port: number;
  readonly #options: ForwardedPortOptions;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly #closed = new AbortController();
  #localPort = 0;
  #problem: Text | undefined;

  private constructor(options: ForwardedPortOptions) {
    this.port = options.port;
    this.#options = options;
    this.#server = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
      this.#accept(socket).catch((error: unknown) => socket.destroy(error instanceof Error ? error : undefined));
    });
    this.#server.maxConnections = maxConnections;
  }

  /** Listens on the same number if it is free, or else on another one. Rejects if the system permits none. */
  static async listen(options: ForwardedPortOptions): Promise<ForwardedPort> {
    const forwarded = new ForwardedPort(options);
    await forwarded.#listen(options.port).catch(() => forwarded.#listen(0));
    return forwarded;
  }

  /** The port on this computer. */
  get localPort(): number {
    return this.#localPort;
  }

  /** Why the last connection failed; undefined if it didn't. */
  get problem(): Text | undefined {
    return this.#problem;
  }

  /** Number of open connections. */
  get connections(): number {
    return this.#sockets.size;
  }

  /** Ends all connections, and listens no more. */
  dispose(): void {
    this.#closed.abort(new Error("The port is no longer forwarded."));
    this.#server.close();
    for (const socket of this.#sockets) {
      socket.resetAndDestroy();
    }
  }

  async #listen(port: number): Promise<void> {
    const listening = Promise.withResolvers<void>();
    this.#server.once("error", listening.reject);
    this.#server.listen(port, address, () => listening.resolve());
    await listening.promise;
    this.#server.removeListener("error", listening.reject);
    // Without a listener, an error would end the extension host.
    this.#server.on("error", (error) => this.#note(error.message));
    const bound = this.#server.address();
    this.#localPort = typeof bound === "object" && bound !== null ? bound.port : 0;
  }

  async #accept(socket: Socket): Promise<void> {
    this.#sockets.add(socket);
    this.#options.onChange();
    // What it reports, its close event says, too.
    socket.on("error", () => {});
    socket.once("close", () => {
      this.#sockets.delete(socket);
      this.#options.onChange();
    });
    const first = firstBytesOf(socket, this.#options.hosts());
    let stream: TunnelStream;
    try {
      stream = await this.#connect(socket);
    } catch (error) {
      this.#note(reasonOf(error));
      await this.#refuse(socket, first);
      return;
    }
    stream.once("error", (error) => {
      if (error instanceof TunnelStreamError && error.reason === "refused") {
        this.#note(phrase`Nothing listens on port ${String(this.port)}.`);
        void this.#refuse(socket, first);
      } else {
        this.#note(error instanceof TunnelStreamError && error.reason === "lost" ? error.text : undefined);
        socket.resetAndDestroy();
      }
    });
    socket.once("close", () => stream.destroy());
    stream.once("data", () => this.#note(undefined));
    stream.pipe(socket);
    const checked = await first;
    if (checked.type === "refused") {
      stream.destroy();
      respond(socket, "403 Forbidden", `This request was refused, because ${checked.reason}.`);
    } else if (checked.type === "passed" && !stream.destroyed) {
      stream.write(checked.bytes);
      socket.pipe(stream);
    }
  }

  async #connect(socket: Socket): Promise<TunnelStream> {
    const gone = new AbortController();
    const onClose = (): void => gone.abort(new Error("The connection was closed."));
    socket.once("close", onClose);
    const timeout = AbortSignal.timeout(this.#options.tunnelTimeoutMs ?? tunnelTimeoutMs);
    const signal = AbortSignal.any([this.#closed.signal, gone.signal, timeout]);
    try {
      const tunnel = await this.#options.tunnel(signal);
      signal.throwIfAborted();
      return tunnel.connect(this.port);
    } finally {
      socket.removeListener("close", onClose);
    }
  }

  /** Shows the problem to a browser. Resets the connection of any other client. */
  async #refuse(socket: Socket, first: Promise<Checked>): Promise<void> {
    const problem = this.#problem;
    const checked = await first;
    if (checked.type === "passed" && checked.isHttp && problem !== undefined) {
      respond(socket, "502 Bad Gateway", this.#options.wordsOf(problem));
    } else {
      socket.resetAndDestroy();
    }
  }

  #note(problem: Text | undefined): void {
    if (String(this.#problem) !== String(problem) && !this.#closed.signal.aborted) {
      this.#problem = problem;
      this.#options.onChange();
    }
  }
}

type Checked =
  | Exclude<ReturnType<typeof checkFirstBytes>, { readonly type: "incomplete" }>
  | { readonly type: "ended" };

/** Reads and checks the first bytes of a connection. What follows stays in the socket. */
function firstBytesOf(socket: Socket, hosts: readonly string[]): Promise<Checked> {
  return new Promise((resolve) => {
    let bytes = Buffer.alloc(0);
    let isFinished = false;
    const finish = (checked: Checked): void => {
      if (isFinished) {
        return;
      }
      isFinished = true;
      clearTimeout(timer);
      socket.pause();
      socket.removeListener("data", onData);
      socket.removeListener("end", onEnd);
      socket.removeListener("close", onClose);
      resolve(checked);
    };
    let timer: NodeJS.Timeout | undefined;
    // A client of another protocol may wait after something that could begin a request. More of it may have arrived
    // while the extension host was busy.
    const wait = (): NodeJS.Timeout =>
      setTimeout(() => {
        const { length } = bytes;
        setImmediate(() => {
          if (bytes.length > length) {
            timer = wait();
          } else if (!bytes.includes("\n")) {
            finish({ type: "passed", bytes, isHttp: false });
          }
        });
      }, firstLineMs);
    const onData = (data: Buffer): void => {
      bytes = Buffer.concat([bytes, data]);
      timer ??= wait();
      const checked = checkFirstBytes(bytes, hosts);
      if (checked.type !== "incomplete") {
        finish(checked);
      }
    };
    const onEnd = (): void => finish({ type: "passed", bytes, isHttp: false });
    const onClose = (): void => finish({ type: "ended" });
    socket.on("data", onData);
    socket.once("end", onEnd);
    socket.once("close", onClose);
  });
}

function reasonOf(error: unknown): Text {
  if (error instanceof WordedError) {
    return error.text;
  }
  const isTimeout = error instanceof Error && error.name === "TimeoutError";
  return isTimeout ? phrase`The companion can't be reached.` : errorMessage(error);
}

function respond(socket: Socket, status: string, text: string): void {
  const body = Buffer.from(`${text}\n`, "utf8");
  const head = [
    `HTTP/1.1 ${status}`,
    "Content-Type: text/plain; charset=utf-8",
    `Content-Length: ${body.length}`,
    "X-Content-Type-Options: nosniff",
    "Connection: close",
    "",
    "",
  ].join("\r\n");
  // What the client still sends is not read.
  socket.end(Buffer.concat([Buffer.from(head, "latin1"), body]), () => socket.destroySoon());
}
