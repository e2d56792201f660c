import { randomUUID } from "node:crypto";
import * as z from "zod/mini";
import { type Clock, systemClock } from "../clock.ts";
import type { KernelConnection, Subscription } from "../kernels/connection/connection.ts";
import type { IncomingMessage } from "../kernels/wire/kernel-message.ts";
import { phrase, type Text } from "../phrase.ts";
import { CompanionLostError, CompanionOperationError, invalidReply } from "./errors.ts";
import type { CompanionOperation, ParametersOf, ResultOf } from "./operation.ts";
import { cancelRequest } from "./operations/program.ts";
import { lostPush, type PushListener, type PushReceiver, PushReceivers } from "./pushes.ts";

/** Type of the messages that the companion handles (`protocol.py`), and of its replies. */
const requestType = "platform_workbench_request";
const replyType = "platform_workbench_reply";

/** Milliseconds after which a request without another limit is cancelled. */
const defaultTimeoutMs = 60_000;

const reply = z.discriminatedUnion("status", [
  z.object({ status: z.literal("ok"), result: z.unknown(), pushed: z.int() }),
  z.object({
    status: z.literal("error"),
    kind: z.string().check(z.maxLength(100)),
    message: z.string().check(z.maxLength(1000)),
  }),
]);

export interface CompanionRequestOptions<Operation extends CompanionOperation> {
  /** Cancels the request on the server, too. It rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds after which the request is cancelled and rejects with a CompanionLostError. Default: 60,000. */
  readonly timeoutMs?: number;
  /** Called for each push, in order, before the request resolves. */
  readonly onPush?: PushListener<Operation>;
  /** Binary data that is sent with the parameters. */
  readonly buffers?: readonly Uint8Array[];
}

export interface CompanionOptions {
  /** Default: the system clock. */
  readonly clock?: Clock;
  /** True if the connection is closed with it. Default: true. False for the kernel of a notebook. */
  readonly ownsConnection?: boolean;
}

/** The companion's program, over the connection to the kernel that runs it: that of a workspace, or of a notebook. */
export class Companion {
  /** For example, `3.11.2`. */
  readonly python: string;
  readonly kernelId: string;
  readonly #connection: KernelConnection;
  readonly #clock: Clock;
  readonly #ownsConnection: boolean;
  readonly #receivers = new PushReceivers();
  readonly #endListeners = new Set<(reason: Text) => void>();
  /** Ids of requests and subscriptions that are to be cancelled when there is a connection again. */
  readonly #interrupted = new Set<string>();
  /** Ids of the requests without a reply that the companion may have. */
  readonly #sent = new Set<string>();
  readonly #ended = new AbortController();
  readonly #listeners: readonly Subscription[];
  #end: Text | undefined;
  #requests = 0;
  /** By the monotonic clock. */
  #lastRequest = performance.now();

  constructor(connection: KernelConnection, python: string, options: CompanionOptions = {}) {
    this.#connection = connection;
    this.#clock = options.clock ?? systemClock;
    this.#ownsConnection = options.ownsConnection ?? true;
    this.python = python;
    this.kernelId = connection.kernelId;
    this.#listeners = [
      connection.onPush(({ content, buffers }) => this.#receivers.receive(content, buffers, (id) => this.#cancel(id))),
      connection.onState(({ type }) => {
        if (type !== "connected") {
          this.#failSubscriptions(lostError(phrase`The connection to the companion was lost.`));
        } else {
          for (const id of this.#interrupted) {
            this.#cancel(id);
          }
          this.#interrupted.clear();
        }
        if (type === "kernelDead") {
          this.#finish(phrase`The companion ended.`);
        } else if (type === "disposed") {
          this.#finish(phrase`The connection to the companion was closed.`);
        } else if (type === "credentialRejected") {
          this.#finish(phrase`The server rejected the notebook token.`);
        }
      }),
      connection.onKernel(({ type }) => {
        if (type !== "activity") {
          this.#finish(phrase`The companion ended.`);
        }
      }),
    ];
  }

  /** Why it can't be used anymore; undefined while it can. */
  get end(): Text | undefined {
    return this.#end;
  }

  /** Number of requests without a reply. */
  get requests(): number {
    return this.#requests;
  }

  /** Milliseconds since the last request or reply. */
  get idleMs(): number {
    return performance.now() - this.#lastRequest;
  }

  /** Calls the listener once, when the companion can't be used anymore. */
  onEnd(listener: (reason: Text) => void): Subscription {
    this.#endListeners.add(listener);
    return { dispose: () => this.#endListeners.delete(listener) };
  }

  /**
   * Performs an operation. If the connection breaks meanwhile, it is continued after reconnecting. Rejects with a
   * CompanionLostError, a CompanionOperationError, or the signal's reason.
   */
  async request<Operation extends CompanionOperation>(
    operation: Operation,
    parameters: ParametersOf<Operation>,
    options: CompanionRequestOptions<Operation> = {},
  ): Promise<ResultOf<Operation>> {
    const id = randomUUID();
    const { onPush } = options;
    const receiver = onPush === undefined ? undefined : this.#receivers.add(id, operation, onPush);
    try {
      return await this.#perform(id, operation, parameters, options, receiver);
    } finally {
      this.#receivers.delete(id);
    }
  }

  /**
   * Starts a subscription, whose pushes arrive until it is disposed of. `onFailure`: it has ended by itself, because the
   * companion ended or a push got lost. Rejects like `request`.
   */
  async subscribe<Operation extends CompanionOperation>(
    operation: Operation,
    parameters: ParametersOf<Operation>,
    listener: {
      readonly onPush: PushListener<Operation>;
      readonly onFailure: (error: Error) => void;
    },
    options: Pick<CompanionRequestOptions<Operation>, "signal" | "timeoutMs"> = {},
  ): Promise<Subscription & { readonly result: ResultOf<Operation> }> {
    const id = randomUUID();
    const receiver = this.#receivers.add(id, operation, listener.onPush);
    try {
      const result = await this.#perform(id, operation, parameters, options, undefined);
      receiver.onFailure = listener.onFailure;
      if (receiver.failure !== undefined) {
        throw receiver.failure;
      }
      return {
        result,
        dispose: () => {
          if (this.#receivers.delete(id)) {
            this.#cancel(id);
          }
        },
      };
    } catch (error) {
      this.#receivers.delete(id);
      throw error;
    }
  }

  /** Takes what arrives without delay for a number of milliseconds, because pushes follow what was sent. */
  awaitPushes(durationMs: number): void {
    this.#connection.awaitPushes(durationMs);
  }

  /** Closes the connection if it is its own. The program runs on. */
  dispose(): void {
    this.#finish(phrase`The connection to the companion was closed.`);
    if (this.#ownsConnection) {
      this.#connection.dispose();
    }
  }

  /** Resolves when the server has closed its side of the connection after `dispose`. */
  get closed(): Promise<void> {
    return this.#connection.closed;
  }

  async #perform<Operation extends CompanionOperation>(
    id: string,
    operation: Operation,
    parameters: ParametersOf<Operation>,
    {
      signal,
      timeoutMs = defaultTimeoutMs,
      buffers,
    }: Pick<CompanionRequestOptions<Operation>, "signal" | "timeoutMs" | "buffers">,
    receiver: PushReceiver | undefined,
  ): Promise<ResultOf<Operation>> {
    signal?.throwIfAborted();
    const content = { id, operation: operation.name, parameters: z.parse(operation.parameters, parameters) };
    const timeout = new AbortController();
    const stop = this.#clock.schedule(timeoutMs, () => timeout.abort(lostError(phrase`The companion didn't reply.`)));
    const limited = AbortSignal.any([this.#ended.signal, timeout.signal, ...(signal === undefined ? [] : [signal])]);
    this.#requests += 1;
    this.#lastRequest = performance.now();
    try {
      const message = await untilAborted(this.#send(content, buffers, limited), limited);
      const parsed = z.safeParse(reply, message.content);
      if (message.header.msg_type !== replyType || !parsed.success) {
        throw invalidReply(operation.name);
      }
      if (parsed.data.status === "error") {
        throw new CompanionOperationError(parsed.data.kind, parsed.data.message);
      }
      if (receiver !== undefined && receiver.received !== parsed.data.pushed) {
        throw receiver.failure ?? lostPush();
      }
      const result = z.safeParse(operation.result, parsed.data.result);
      if (!result.success) {
        throw invalidReply(operation.name);
      }
      return result.data as ResultOf<Operation>;
    } catch (error) {
      if (limited.aborted) {
        this.#cancel(id);
      }
      throw error;
    } finally {
      stop();
      this.#sent.delete(id);
      this.#requests -= 1;
      this.#lastRequest = performance.now();
    }
  }

  /** Sends a request, and sends it again after each reconnection until it has a reply. */
  async #send(
    content: { readonly id: string; readonly [name: string]: unknown },
    buffers: readonly Uint8Array[] | undefined,
    signal: AbortSignal,
  ): Promise<IncomingMessage> {
    for (;;) {
      await this.#connected(signal);
      signal.throwIfAborted();
      this.#sent.add(content.id);
      try {
        return await this.#connection.request(
          "control",
          requestType,
          content,
          buffers === undefined ? {} : { buffers },
        );
      } catch (error) {
        signal.throwIfAborted();
        if (this.#connection.state.type === "connected" && !isLost(error)) {
          throw error;
        }
      }
    }
  }

  /** Resolves when the connection is open. A resting one is opened by the request itself. */
  async #connected(signal: AbortSignal): Promise<void> {
    const isOpen = (): boolean => this.#connection.state.type === "connected";
    if (this.#connection.state.type === "resting") {
      this.#connection.retry();
    }
    if (isOpen()) {
      return;
    }
    const opened = Promise.withResolvers<void>();
    const subscription = this.#connection.onState(() => (isOpen() ? opened.resolve() : undefined));
    try {
      await untilAborted(opened.promise, signal);
    } finally {
      subscription.dispose();
    }
  }

  #cancel(id: string): void {
    if (this.#end !== undefined) {
      return;
    }
    if (this.#connection.state.type !== "connected") {
      if (this.#sent.has(id)) {
        this.#interrupted.add(id);
      }
      return;
    }
    const content = { id: randomUUID(), operation: cancelRequest.name, parameters: { id } };
    // Whatever happens to it: nobody waits for the reply.
    this.#connection.request("control", requestType, content).catch(() => {});
  }

  /** Ends the subscriptions: what the companion sends while there is no connection is lost. */
  #failSubscriptions(error: Error): void {
    this.#receivers.failSubscriptions(error, (id) => this.#interrupted.add(id));
  }

  #finish(reason: Text): void {
    if (this.#end !== undefined) {
      return;
    }
    this.#end = reason;
    for (const subscription of this.#listeners) {
      subscription.dispose();
    }
    const error = lostError(reason);
    this.#ended.abort(error);
    this.#failSubscriptions(error);
    this.#receivers.clear();
    const listeners = [...this.#endListeners];
    this.#endListeners.clear();
    for (const listener of listeners) {
      listener(reason);
    }
  }
}

function lostError(reason: Text): CompanionLostError {
  return new CompanionLostError(reason);
}

function isLost(error: unknown): boolean {
  return error instanceof Error && error.name === "ReplyLostError";
}

/** The result, or a rejection with the signal's reason as soon as it is aborted. */
function untilAborted<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason);
    if (signal.aborted) {
      onAbort();
      // Nobody waits for it anymore.
      work.catch(() => {});
      return;
    }
    signal.addEventListener("abort", onAbort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
  });
}
