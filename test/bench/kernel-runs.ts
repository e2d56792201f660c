// A cell on a kernel: through the extension's connection, and through a plain WebSocket loop.
import { randomUUID } from "node:crypto";
import type { KernelConnection } from "../../src/api/kernels/connection/connection.ts";
import { binaryProtocol, encodeMessage } from "../../src/api/kernels/wire/message-codec.ts";

/** Milliseconds from sending a cell to its first output and to its end, and the bytes of its stdout. */
export interface Run {
  readonly first: number;
  readonly end: number;
  readonly bytes: number;
}

/** Runs a cell through a connection. */
export async function runCell(connection: KernelConnection, code: string): Promise<Run> {
  const started = performance.now();
  let [first, bytes] = [0, 0];
  const sink = {
    onEvents: (events: readonly { readonly type: string; readonly text?: string }[]) => {
      for (const { type, text = "" } of events) {
        if (type === "stream") {
          first ||= performance.now() - started;
          bytes += text.length;
        }
      }
    },
  };
  const [execution] = await connection.execute([{ code, cellId: undefined, cellIndex: 0, sink }]);
  await execution?.ended;
  await connection.deleteExecutions([execution?.entry.messageId ?? ""]);
  return { first, end: performance.now() - started, bytes };
}

/** The minimum that a client does: one WebSocket, each message parsed, nothing stored. */
export class PlainLoop {
  readonly #socket: WebSocket;
  readonly #session: string;

  private constructor(socket: WebSocket, session: string) {
    this.#socket = socket;
    this.#session = session;
  }

  static async open(url: string, token: string, kernelId: string): Promise<PlainLoop> {
    const session = randomUUID();
    const address = `${url.replace("http", "ws")}/api/kernels/${kernelId}/channels?session_id=${session}`;
    const socket = new WebSocket(address, {
      protocols: [binaryProtocol],
      headers: { authorization: `token ${token}` },
    });
    socket.binaryType = "arraybuffer";
    await new Promise((resolve, reject) => {
      socket.addEventListener("open", resolve);
      socket.addEventListener("error", reject);
    });
    return new PlainLoop(socket, session);
  }

  run(code: string): Promise<Run> {
    const started = performance.now();
    const id = randomUUID();
    let [first, bytes, replied, idle] = [0, 0, false, false];
    return new Promise((resolve) => {
      const take = ({ data }: { readonly data: ArrayBuffer }): void => {
        const view = Buffer.from(data);
        const count = Number(view.readBigUInt64LE(0));
        const offsets = Array.from({ length: count }, (_, at) => Number(view.readBigUInt64LE(8 * (at + 1))));
        const [header, parent, , content] = [1, 2, 3, 4].map((part) =>
          JSON.parse(view.toString("utf8", offsets[part], offsets[part + 1])),
        );
        if (parent.msg_id !== id) return;
        if (header.msg_type === "stream") {
          first ||= performance.now() - started;
          bytes += content.text.length;
        }
        replied ||= header.msg_type === "execute_reply";
        idle ||= header.msg_type === "status" && content.execution_state === "idle";
        if (replied && idle) {
          this.#socket.removeEventListener("message", take);
          resolve({ first, end: performance.now() - started, bytes });
        }
      };
      this.#socket.addEventListener("message", take);
      const header = { msg_id: id, msg_type: "execute_request", session: this.#session, username: "", version: "5.4" };
      const flags = { silent: false, store_history: true, user_expressions: {}, allow_stdin: false };
      this.#socket.send(
        new Uint8Array(
          Buffer.from(encodeMessage({ channel: "shell", header, content: { code, ...flags } }, binaryProtocol)),
        ),
      );
    });
  }

  close(): void {
    this.#socket.close();
  }
}
