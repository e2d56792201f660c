import { randomUUID } from "node:crypto";
import type { CommMessage, SentComm } from "../connection/comms.ts";
import type { KernelConnection, KernelEvent, SendingOptions, Subscription } from "../connection/connection.ts";
import type { ConnectionState, KernelActivity } from "../connection/connection-state.ts";
import { type JournalEntry, sourceHashOf } from "../executions/execution-journal.ts";
import type { Execution, ExecutionRequest, ExecutionSink, ForeignActivity } from "../executions/executions.ts";
import type { KernelInformation } from "../models.ts";
import type { ExecutionView } from "../protocol/execution/execution.ts";
import type { Input, SubmittedExecution } from "../protocol/input.ts";
import type { CapturedOutput } from "../recorder/output-captures.ts";
import type { Fields, IncomingMessage } from "../wire/kernel-message.ts";
import type { KernelDriver } from "./kernel-driver.ts";

/** Implements KernelConnection: what a caller asks for becomes an input of the protocol. */
export class DrivenConnection implements KernelConnection {
  readonly kernelId: string;
  readonly #driver: KernelDriver;

  constructor(driver: KernelDriver) {
    this.kernelId = driver.kernelId;
    this.#driver = driver;
  }

  get state(): ConnectionState {
    return this.#driver.protocol.state;
  }

  get activity(): KernelActivity {
    return this.#driver.protocol.activity;
  }

  get information(): KernelInformation | undefined {
    return this.#driver.protocol.information;
  }

  get pending(): readonly Execution[] {
    return this.#driver.protocol.pending.map((view) => this.#executionOf(view));
  }

  get closed(): Promise<void> {
    return this.#driver.closed.then(() => this.#callDone((call) => ({ type: "finishWriting", call })));
  }

  onState(listener: (state: ConnectionState) => void): Subscription {
    return this.#driver.listeners.add("state", listener);
  }

  onKernel(listener: (event: KernelEvent) => void): Subscription {
    return this.#driver.listeners.add("kernel", listener);
  }

  onComm(listener: (message: CommMessage) => void): Subscription {
    return this.#driver.listeners.add("comm", listener);
  }

  onCommHandled(listener: (messageId: string) => void): Subscription {
    return this.#driver.listeners.add("commHandled", listener);
  }

  onCapturedOutput(listener: (output: CapturedOutput) => void): Subscription {
    const subscription = this.#driver.listeners.add("capturedOutput", listener);
    return this.#listening(() => subscription.dispose());
  }

  onPush(listener: (message: IncomingMessage) => void): Subscription {
    return this.#driver.listeners.add("push", listener);
  }

  onDebugEvent(listener: (message: IncomingMessage) => void): Subscription {
    return this.#driver.listeners.add("debugEvent", listener);
  }

  onForeign(listener: (activity: ForeignActivity) => void | Promise<void>): Subscription {
    return this.#listening(this.#driver.sinks.listenToForeign(listener));
  }

  ready(): Promise<KernelInformation> {
    return this.#driver.ready;
  }

  retry(): void {
    this.#driver.handle({ type: "retry" });
  }

  async execute(requests: readonly ExecutionRequest[]): Promise<readonly Execution[]> {
    const run = randomUUID();
    const executions = requests.map((request) => this.#submitted(request, run));
    const ids = executions.map(({ entry }) => entry.messageId);
    return await this.#callExecutions(ids, (call) => ({ type: "execute", call, executions }));
  }

  async resume(sinkFor: (entry: JournalEntry) => ExecutionSink | undefined): Promise<readonly Execution[]> {
    return await this.#resume(sinkFor, false);
  }

  async resumeLateOutput(sinkFor: (entry: JournalEntry) => ExecutionSink | undefined): Promise<void> {
    await this.#resume(sinkFor, true);
  }

  async deleteExecutions(messageIds: readonly string[]): Promise<void> {
    await this.#callDone((call) => ({ type: "deleteExecutions", call, messageIds }));
  }

  sendInputReply(messageId: string, value: string): void {
    this.#driver.handle({ type: "inputReply", messageId, value });
  }

  async interrupt(): Promise<void> {
    await this.#callDone((call) => ({ type: "interrupt", call }));
  }

  async cancel(messageId: string): Promise<void> {
    await this.#callDone((call) => ({ type: "cancel", call, messageId }));
  }

  async restart(): Promise<void> {
    await this.#callDone((call) => ({ type: "restart", call }));
  }

  sendComm(comm: SentComm): string {
    const result = this.#driver.callNow((call) => ({ type: "comm", call, comm }));
    if (result?.type === "failed") {
      throw result.error;
    }
    if (result?.type !== "sent") {
      throw unexpected();
    }
    return result.messageId;
  }

  async request(
    channel: "shell" | "control",
    requestType: string,
    content: Fields,
    { isSentOnce = false, buffers }: SendingOptions = {},
  ): Promise<IncomingMessage> {
    const data = buffers === undefined ? {} : { buffers };
    const result = await this.#driver.call((call) => ({
      ...{ type: "request" as const, call, channel, requestType, content, isSentOnce },
      ...data,
    }));
    if (result.type !== "reply") {
      throw unexpected();
    }
    return result.reply;
  }

  awaitPushes(durationMs: number): void {
    this.#driver.awaitPushes(durationMs);
  }

  async createSubshell(): Promise<string | undefined> {
    const result = await this.#driver.call((call) => ({ type: "createSubshell", call }));
    if (result.type !== "subshell") {
      throw unexpected();
    }
    return result.id;
  }

  async evaluate(expression: string): Promise<string> {
    await this.ready();
    const result = await this.#driver.call((call) => ({ type: "evaluate", call, expression }));
    if (result.type !== "text") {
      throw unexpected();
    }
    return result.text;
  }

  deleteSubshell(subshell: string): void {
    this.#driver.handle({ type: "deleteSubshell", subshell });
  }

  dispose(): void {
    this.#driver.dispose();
  }

  async #resume(
    sinkFor: (entry: JournalEntry) => ExecutionSink | undefined,
    late: boolean,
  ): Promise<readonly Execution[]> {
    const sinks = new Map<string, ExecutionSink>();
    const running: string[] = [];
    for (const entry of this.#driver.protocol.unclaimed.toReversed()) {
      const sink = sinkFor(entry);
      if (sink !== undefined) {
        sinks.set(entry.messageId, sink);
        running.push(...(entry.isFinished ? [] : [entry.messageId]));
      }
    }
    return await this.#callExecutions(running, (call) => ({ type: "resume", call, sinks, late }));
  }

  #submitted({ code, cellId, cellIndex, stopOnError = true, sink }: ExecutionRequest, run: string): SubmittedExecution {
    const messageId = randomUUID();
    const sourceHash = sourceHashOf(code);
    const entry: JournalEntry = {
      messageId,
      cellId,
      cellIndex,
      sourceHash,
      sentAt: this.#driver.clock.now(),
      isFinished: false,
    };
    return { entry, code, stopOnError, run, sink };
  }

  #listening(end: () => void): Subscription {
    const tell = (): void => {
      const capturedOutput = this.#driver.listeners.has("capturedOutput");
      this.#driver.handle({ type: "listening", foreign: this.#driver.sinks.hasForeignListener, capturedOutput });
    };
    tell();
    return {
      dispose: () => {
        end();
        tell();
      },
    };
  }

  async #callDone(inputOf: (call: number) => Input): Promise<void> {
    await this.#driver.call(inputOf);
  }

  /** `running`: message ids of the executions that have not ended. */
  async #callExecutions(running: readonly string[], inputOf: (call: number) => Input): Promise<readonly Execution[]> {
    this.#driver.sinks.expectEnds(running);
    try {
      const result = await this.#driver.call(inputOf);
      if (result.type !== "executions") {
        throw unexpected();
      }
      return result.executions.map((view) => this.#executionOf(view));
    } catch (error) {
      this.#driver.sinks.cancelEnds(running);
      throw error;
    }
  }

  #executionOf(view: ExecutionView): Execution {
    const { sinks } = this.#driver;
    return {
      get entry() {
        return view.entry;
      },
      get phase() {
        return view.phase;
      },
      get outputBytes() {
        return view.outputBytes;
      },
      get ended() {
        return sinks.endOf(view.entry.messageId, view.outcome ?? { type: "unknown" });
      },
    };
  }
}

function unexpected(): Error {
  return new Error("the kernel's protocol settled a call with another result");
}
