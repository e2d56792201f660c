import * as z from "zod/mini";
import { type Clock, systemClock } from "../clock.ts";
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
  "information" | "interrupt" | "onDebugEvent" | "onKernel" | "onState" | "ready" | "request" | "state"
>;

/** Requests that change what the program does: a second one would do it again. */
const once: ReadonlySet<string> = new Set([
  ...["attach", "continue", "disconnect", "initialize", "next", "pause", "stepIn", "stepOut"],
]);

/**
 * Requests that run code of the user, such as its `__repr__`, and may take any time. They are sent once, too. The end of
 * the session interrupts them.
 */
const evaluating: ReadonlySet<string> = new Set([
  ...["completions", "evaluate", "setExpression", "setVariable", "variables"],
]);
/**
 * How long a reply to the others may take, in milliseconds. The first request starts a process. A kernel whose debugger
 * has broken never replies.
 */
const maxReplyMs = 60_000;
/** For what a session begins and ends with. */
const maxShortReplyMs = 20_000;
/** How long the end of a session waits for code of the user, in milliseconds. */
const beforeInterruptMs = 1000;

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

interface KernelDebuggerOptions {
  /** Called if a request gets no reply in time. Later requests would get the replies to earlier ones. */
  readonly onSilent?: () => void;
  /** Default: the system clock. */
  readonly clock?: Clock | undefined;
}

/** The debugger of one kernel, over its control channel. */
export class KernelDebugger {
  readonly #connection: DebuggedConnection;
  readonly #onSilent: (() => void) | undefined;
  readonly #clock: Clock;
  #sequence = 0;
  #last: Promise<unknown> = Promise.resolve();
  #isEvaluating = false;

  constructor(connection: DebuggedConnection, { onSilent, clock = systemClock }: KernelDebuggerOptions = {}) {
    this.#connection = connection;
    this.#onSilent = onSilent;
    this.#clock = clock;
  }

  /**
   * Sends a request when those before it have ended, because ipykernel handles one at a time. `disconnect` doesn't wait,
   * and interrupts code of the user that the request before it runs. Its failure is a result, a lost or late reply as
   * well. Never rejects.
   */
  ask(command: string, parameters: Readonly<Record<string, unknown>> = {}): Promise<DebugResult> {
    const before = command === "disconnect" ? Promise.resolve() : this.#last;
    const result = before.then(() => this.#limited(command, parameters));
    this.#last = result;
    return result;
  }

  async #limited(command: string, parameters: Readonly<Record<string, unknown>>): Promise<DebugResult> {
    if (evaluating.has(command)) {
      this.#isEvaluating = true;
      try {
        return await this.#send(command, parameters);
      } finally {
        this.#isEvaluating = false;
      }
    }
    const timers: (() => void)[] = [];
    if (command === "disconnect" && this.#isEvaluating) {
      timers.push(this.#clock.schedule(beforeInterruptMs, () => void this.#interrupt()));
    }
    const late = Promise.withResolvers<DebugResult>();
    const isShort = command === "disconnect" || command === "debugInfo";
    const wait = (): void => {
      timers.push(
        this.#clock.schedule(isShort ? maxShortReplyMs : maxReplyMs, () => {
          if (this.#connection.state.type === "connected") {
            late.resolve({ success: false, message: String(phrase`The kernel's debugger doesn't reply.`) });
            this.#onSilent?.();
          } else {
            wait();
          }
        }),
      );
    };
    wait();
    try {
      return await Promise.race([this.#send(command, parameters), late.promise]);
    } finally {
      for (const cancel of timers) {
        cancel();
      }
    }
  }

  async #interrupt(): Promise<void> {
    if (this.#isEvaluating) {
      // Without it, the end of the session fails, too, and says so.
      await this.#connection.interrupt().catch(() => undefined);
    }
  }

  async #send(command: string, parameters: Readonly<Record<string, unknown>>): Promise<DebugResult> {
    this.#sequence += 1;
    const request = { type: "request", seq: this.#sequence, command, arguments: parameters };
    try {
      const reply = await this.#connection.request("control", "debug_request", request, {
        isSentOnce: once.has(command) || evaluating.has(command),
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
