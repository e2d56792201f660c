import * as z from "zod/mini";
import { errorMessage } from "../error-message.ts";
import type { KernelConnection, Subscription } from "../kernels/connection/connection.ts";
import { fieldsOf, stringField } from "../kernels/wire/message-codec.ts";
import { phrase } from "../phrase.ts";
import { WordedError } from "../worded-error.ts";
import { type DebugEvent, type DebugResult, debugEvent, debugReply, maxMessageBytes } from "./debug-message.ts";
import { type Preparation, preparationOf, preparingExpression, restoringExpression } from "./preparation.ts";

/** What a session needs of a kernel's connection. */
export type DebuggedConnection = Pick<
  KernelConnection,
  "information" | "onDebugEvent" | "onKernel" | "onState" | "ready" | "request" | "state"
>;

/** Requests that change what the program does: a second one would do it again. */
const once: ReadonlySet<string> = new Set([
  ...["attach", "continue", "disconnect", "evaluate", "initialize", "next", "pause", "setExpression", "setVariable"],
  ...["stepIn", "stepOut"],
]);

/** The state of a kernel's debugger (`debugInfo`). */
const debugInformation = z.object({
  isStarted: z.boolean(),
  hashSeed: z.int(),
  tmpFilePrefix: z.string().check(z.maxLength(10_000)),
  tmpFileSuffix: z.string().check(z.maxLength(100)),
  stoppedThreads: z.optional(z.array(z.int())),
});

export type DebugInformation = z.output<typeof debugInformation>;

/** The kernel refused something that is needed to debug. */
export class DebuggerError extends WordedError {
  override readonly name = "DebuggerError";
}

/** The debugger of one kernel, over its control channel. */
export class KernelDebugger {
  readonly #connection: DebuggedConnection;
  #sequence = 0;
  #last: Promise<unknown> = Promise.resolve();

  constructor(connection: DebuggedConnection) {
    this.#connection = connection;
  }

  /**
   * Sends a request when those before it have ended, because ipykernel matches replies by their order; only `disconnect`
   * doesn't wait. Its failure is a result, a lost reply as well. Never rejects.
   */
  ask(command: string, parameters: Readonly<Record<string, unknown>> = {}): Promise<DebugResult> {
    const before = command === "disconnect" ? Promise.resolve() : this.#last;
    const result = before.then(() => this.#send(command, parameters));
    this.#last = result;
    return result;
  }

  async #send(command: string, parameters: Readonly<Record<string, unknown>>): Promise<DebugResult> {
    this.#sequence += 1;
    const request = { type: "request", seq: this.#sequence, command, arguments: parameters };
    try {
      const reply = await this.#connection.request("control", "debug_request", request, {
        isSentOnce: once.has(command),
      });
      if (reply.byteLength > maxMessageBytes) {
        return { success: false, message: String(phrase`The kernel's reply is too large to show.`) };
      }
      const parsed = z.safeParse(debugReply, reply.content);
      if (!parsed.success) {
        return { success: false, message: String(phrase`The kernel's debugger gave an invalid reply.`) };
      }
      const { success, message, body } = parsed.data;
      return success ? { success, body: body ?? {} } : { success, message: (message ?? command).slice(0, 10_000) };
    } catch (error) {
      return { success: false, message: errorMessage(error) };
    }
  }

  /** The debugger's state; undefined if the kernel didn't reply. */
  async information(): Promise<DebugInformation | undefined> {
    const result = await this.ask("debugInfo");
    const parsed = z.safeParse(debugInformation, result.success ? result.body : undefined);
    return parsed.success ? parsed.data : undefined;
  }

  /** Waits until the kernel is idle, and prepares it. Rejects with a DebuggerError or a ReplyLostError. */
  async prepare(path: string, folder: string): Promise<Preparation> {
    const found = preparationOf(await this.#evaluate(preparingExpression(path, folder)));
    if (found === undefined) {
      throw new DebuggerError(phrase`The kernel can't be prepared for debugging.`);
    }
    return found;
  }

  /** Undoes what `prepare` did. */
  async restore(): Promise<void> {
    await this.#evaluate(restoringExpression());
  }

  onEvent(listener: (event: DebugEvent) => void): Subscription {
    return this.#connection.onDebugEvent((message) => {
      const parsed = message.byteLength > maxMessageBytes ? undefined : z.safeParse(debugEvent, message.content);
      if (parsed?.success === true) {
        listener({ event: parsed.data.event, body: parsed.data.body ?? {} });
      }
    });
  }

  /** On the main shell, because the kernel starts its debugger there, and blocks until it is idle. */
  async #evaluate(expression: string): Promise<string> {
    const flags = { code: "", silent: true, store_history: false, allow_stdin: false, stop_on_error: false };
    const content = { ...flags, user_expressions: { value: expression } };
    const reply = await this.#connection.request("shell", "execute_request", content);
    return stringField(fieldsOf(fieldsOf(fieldsOf(reply.content.user_expressions).value).data)["text/plain"]);
  }
}
