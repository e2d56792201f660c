import { randomUUID } from "node:crypto";
import { nameOf, parentOf } from "../catalogue/content-path.ts";
import type { ContentClient } from "../client/client.ts";
import type { KernelConnection } from "../kernels/connection/connection.ts";
import { openKernelConnection } from "../kernels/connection/open-connection.ts";
import { noJournal } from "../kernels/executions/execution-journal.ts";
import type { ExecutionEvent } from "../kernels/executions/executions.ts";
import { KernelServer } from "../kernels/kernel-server.ts";
import { endSessionAfterStart } from "../kernels/session-end.ts";
import { stringField } from "../kernels/wire/message-codec.ts";
import { phrase } from "../phrase.ts";
import { WordedError } from "../worded-error.ts";
import { endRequest, scriptCode } from "./script-code.ts";

/** Who sees what a file prints, and enters what it asks for. */
export interface ScriptTerminal {
  print(stream: "stdout" | "stderr", text: string): void;
  /** The person's input; undefined to interrupt the file. */
  ask(prompt: string, isPassword: boolean, signal: AbortSignal): Promise<string | undefined>;
}

/** A kernel that runs one Python file, and ends with it. Its working directory is the file's folder. */
export class ScriptKernel {
  readonly connection: KernelConnection;
  readonly #server: KernelServer;
  readonly #sessionId: string;
  readonly #ending = new AbortController();

  /**
   * Starts the kernel. `path`: content path of the file. Throws a WordedError if the server has no Python kernels, a
   * PlatformError if it refuses, or the signal's reason. Nothing is left behind then.
   */
  static async start(client: ContentClient, path: string, signal: AbortSignal): Promise<ScriptKernel> {
    const server = new KernelServer(async () => client);
    const specName = await pythonSpec(server);
    const name = nameOf(path);
    const folder = parentOf(path);
    const sessionPath = `${folder === "" ? "" : `${folder}/`}${name}-${randomUUID().slice(0, 8)}`;
    signal.throwIfAborted();
    // It isn't canceled: the server would start the kernel, and nobody would end it.
    const session = await server.openConsole(sessionPath, name, specName);
    const kernelId = session.kernel?.id;
    try {
      signal.throwIfAborted();
      if (kernelId === undefined) {
        throw new WordedError(phrase`Can't debug ${name}: the server didn't start a kernel.`);
      }
      const connection = await openKernelConnection({
        client: async () => client,
        kernelId,
        journal: noJournal,
        recorder: "off",
      });
      const kernel = new ScriptKernel(server, session.id, connection);
      const aborted = Promise.withResolvers<never>();
      // Afterward, nobody waits for it.
      aborted.promise.catch(() => undefined);
      signal.addEventListener("abort", () => aborted.reject(signal.reason), { once: true });
      try {
        signal.throwIfAborted();
        await Promise.race([connection.ready(), aborted.promise]);
      } catch (error) {
        connection.dispose();
        throw error;
      }
      return kernel;
    } catch (error) {
      await server.endSession(session.id).catch(() => undefined);
      throw error;
    }
  }

  private constructor(server: KernelServer, sessionId: string, connection: KernelConnection) {
    this.#server = server;
    this.#sessionId = sessionId;
    this.connection = connection;
  }

  /** Runs the file, as `python FILE` does. `file`: its path on the server. Resolves when it has ended. */
  async run(file: string, parameters: readonly string[], terminal: ScriptTerminal): Promise<void> {
    let messageId: string | undefined;
    const [execution] = await this.connection.execute([
      {
        code: scriptCode(file, parameters),
        cellId: undefined,
        cellIndex: 0,
        sink: {
          onEvents: (events) => {
            for (const event of events) {
              if (event.type === "inputRequest") {
                void this.#reply(event, () => messageId, terminal);
              } else {
                print(event, terminal);
              }
            }
          },
        },
      },
    ]);
    messageId = execution?.entry.messageId;
    await execution?.ended;
  }

  /** Ends the kernel at once, also while it runs code or is stopped. Never rejects. */
  async end(): Promise<void> {
    if (this.#ending.signal.aborted) {
      return;
    }
    this.#ending.abort();
    // The server asks a kernel to end, which one that is stopped would only do after seconds.
    this.connection.request("control", endRequest, {}, { isSentOnce: true }).catch(() => undefined);
    await endSessionAfterStart(this.#server, this.#sessionId).catch(() => undefined);
    this.connection.dispose();
  }

  async #reply(
    { prompt, password }: Extract<ExecutionEvent, { type: "inputRequest" }>,
    messageId: () => string | undefined,
    terminal: ScriptTerminal,
  ): Promise<void> {
    const value = await terminal.ask(prompt, password, this.#ending.signal);
    const id = messageId();
    if (this.#ending.signal.aborted || id === undefined) {
      return;
    }
    if (value === undefined) {
      await this.connection.interrupt().catch(() => undefined);
    } else {
      terminal.print("stdout", `${prompt}${password ? "" : value}\n`);
      this.connection.sendInputReply(id, value);
    }
  }
}

async function pythonSpec(server: KernelServer): Promise<string> {
  const support = await server.support();
  const specs = support.type === "none" ? [] : support.specs;
  const python = specs.filter(({ language }) => language.toLowerCase() === "python");
  const spec = python.find(({ name }) => support.type === "available" && name === support.defaultName) ?? python[0];
  if (spec === undefined) {
    throw new WordedError(phrase`The content server has no Python kernel.`);
  }
  return spec.name;
}

/** Prints an event as a terminal would. */
function print(event: ExecutionEvent, terminal: ScriptTerminal): void {
  switch (event.type) {
    case "stream":
      terminal.print(event.name, event.text);
      break;
    case "display":
    case "result":
      terminal.print("stdout", `${textOf(event.bundle.data["text/plain"])}\n`);
      break;
    case "error":
      terminal.print("stderr", `${event.traceback.join("\n")}\n`);
      break;
    case "gap":
      terminal.print("stderr", `${phrase`Output may be missing here.`}\n`);
      break;
  }
}

/** Text of a MIME type: lines, or one text. */
function textOf(value: unknown): string {
  return Array.isArray(value) ? value.map(stringField).join("") : stringField(value);
}
