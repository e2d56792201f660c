import type { CommMessage } from "../connection/comms.ts";
import type { KernelConnection, KernelEvent, Subscription } from "../connection/connection.ts";
import type { ConnectionState } from "../connection/connection-state.ts";
import type { CapturedOutput } from "../recorder/output-captures.ts";
import type { Fields } from "../wire/kernel-message.ts";
import { OutputWidget } from "./output-widget.ts";
import { UnclaimedOutputs } from "./unclaimed-outputs.ts";
import type { WidgetBuffer } from "./widget-buffers.ts";
import { stateIn, type WidgetModel, WidgetModels } from "./widget-models.ts";
import { readWidgetStates, widgetTarget } from "./widget-states.ts";

/** An event for the pages that show widgets. */
export type WidgetEvent =
  /** A widget was opened or closed, or sent a message. `parentId`: the page's message that it replies to. */
  | { readonly type: "comm"; readonly message: CommMessage }
  /** Widgets of the kernel with their current states. The page may have outdated states. */
  | { readonly type: "models"; readonly models: readonly WidgetModel[] }
  /** The kernel has handled a page's message, or will never handle it. */
  | { readonly type: "handled"; readonly messageId: string }
  /** The kernel's process ended, and all of its widgets with it. */
  | { readonly type: "ended" };

export interface WidgetSessionOptions {
  /** Returns the line that replaces this number of characters in an Output widget. */
  readonly leftOutText: (characters: number) => string;
  readonly onError: (error: unknown) => void;
}

/** Milliseconds during which the outputs of an Output widget are batched. */
const collected = 75;
/** Maximum number of widgets whose execution is remembered. */
const maxOrigins = 20_000;

/** The widgets of one connected kernel. Stores their state and passes changes on to the pages that show them. */
export class WidgetSession implements Subscription {
  readonly #connection: KernelConnection;
  readonly #options: WidgetSessionOptions;
  readonly #models = new WidgetModels();
  readonly #listeners = new Set<(event: WidgetEvent) => void>();
  readonly #subscriptions: readonly Subscription[];
  /** `msg_id` of the execution that opened each widget, by comm id. */
  readonly #origins = new Map<string, string>();
  readonly #outputs = new Map<string, OutputWidget>();
  readonly #changedOutputs = new Set<string>();
  readonly #unclaimed = new UnclaimedOutputs();
  /** Ids of this session's own messages, whose echoes are ignored. */
  readonly #own = new Set<string>();
  #outputTimer: NodeJS.Timeout | undefined;
  #reading: Promise<void> | undefined;
  #wasLost = false;
  #isRead = false;

  constructor(connection: KernelConnection, options: WidgetSessionOptions) {
    this.#connection = connection;
    this.#options = options;
    this.#subscriptions = [
      connection.onComm((message) => this.#take(message)),
      connection.onCommHandled((messageId) => this.#handled(messageId)),
      connection.onCapturedOutput((output) => this.#capture(output)),
      connection.onState((state) => this.#changeState(state)),
      connection.onKernel((event) => this.#takeEvent(event)),
    ];
  }

  /** The known widgets. */
  get models(): readonly WidgetModel[] {
    return this.#models.all();
  }

  has(commId: string): boolean {
    return this.#models.has(commId);
  }

  listen(listener: (event: WidgetEvent) => void): Subscription {
    this.#listeners.add(listener);
    return { dispose: () => this.#listeners.delete(listener) };
  }

  /** Reads the kernel's widgets once, because an earlier window or JupyterLab may have created some. */
  read(): Promise<void> {
    if (this.#isRead) {
      return Promise.resolve();
    }
    this.#reading ??= this.#read()
      .catch(this.#options.onError)
      .finally(() => {
        this.#reading = undefined;
      });
    return this.#reading;
  }

  /**
   * Sends a page's message to a widget. Returns its `msg_id`; undefined if the kernel does not have the widget, or if
   * it is not a widget message. Throws a MessageTooLargeError, after which the pages show the widget's state again.
   */
  send(commId: string, data: Fields, buffers: readonly Uint8Array[]): string | undefined {
    const isUpdate = data.method === "update";
    if (!this.#models.has(commId) || !(isUpdate || data.method === "custom")) {
      return undefined;
    }
    const message = { commId, targetName: undefined, data, metadata: {}, buffers };
    const cellMessageId = this.#origins.get(commId);
    let messageId: string;
    try {
      messageId = this.#connection.sendComm({ ...message, type: "message", cellMessageId });
    } catch (error) {
      const model = this.#models.get(commId);
      this.#emit({ type: "models", models: model === undefined ? [] : [model] });
      throw error;
    }
    if (isUpdate) {
      const { state, buffers: found } = stateIn(data, buffers);
      this.#models.update(commId, state, found);
    }
    return messageId;
  }

  dispose(): void {
    clearTimeout(this.#outputTimer);
    for (const subscription of this.#subscriptions) {
      subscription.dispose();
    }
    this.#listeners.clear();
  }

  async #read(): Promise<void> {
    const before = this.#models.all();
    const { models, isComplete } = await readWidgetStates(this.#connection);
    this.#isRead = isComplete;
    const found = new Set(models.map(({ commId }) => commId));
    // The kernel may have opened more widgets since it collected the states.
    for (const { commId } of isComplete ? before : []) {
      if (!found.has(commId)) {
        this.#close(commId);
        this.#emit({ type: "comm", message: closeOf(commId) });
      }
    }
    for (const { commId, state, buffers } of models) {
      // A busy kernel may not have received the latest outputs yet.
      const { outputs } = this.#outputs.has(commId) ? (this.#models.get(commId)?.state ?? {}) : {};
      this.#open(commId, outputs === undefined ? state : { ...state, outputs }, buffers);
    }
    this.#emit({ type: "models", models: models.flatMap(({ commId }) => this.#models.get(commId) ?? []) });
  }

  /** Stores a widget, and the outputs that it captured before it was known. */
  #open(commId: string, state: Fields, buffers: readonly WidgetBuffer[]): void {
    this.#models.open(commId, state, buffers);
    for (const output of this.#unclaimed.claim(commId)) {
      this.#capture(output);
    }
  }

  #take(message: CommMessage): void {
    const { type, commId, data, parentId } = message;
    if (type === "open") {
      if (message.targetName !== widgetTarget) {
        return;
      }
      const { state, buffers } = stateIn(data, message.buffers);
      this.#open(commId, state, buffers);
      this.#remember(commId, parentId);
    } else if (!this.#models.has(commId) || (data.method === "echo_update" && this.#own.has(parentId ?? ""))) {
      return;
    } else if (type === "close") {
      this.#close(commId);
    } else if (data.method === "update" || data.method === "echo_update") {
      const { state, buffers } = stateIn(data, message.buffers);
      this.#models.update(commId, state, buffers);
    }
    this.#emit({ type: "comm", message });
  }

  #close(commId: string): void {
    this.#models.close(commId);
    this.#outputs.delete(commId);
    this.#changedOutputs.delete(commId);
    this.#origins.delete(commId);
  }

  #remember(commId: string, parentId: string | undefined): void {
    if (parentId !== undefined) {
      this.#origins.set(commId, parentId);
    }
    const [oldest] = this.#origins.keys();
    if (this.#origins.size > maxOrigins && oldest !== undefined) {
      this.#origins.delete(oldest);
    }
  }

  #handled(messageId: string): void {
    if (this.#own.delete(messageId)) {
      this.#scheduleOutputs();
    } else {
      this.#emit({ type: "handled", messageId });
    }
  }

  #capture(output: CapturedOutput): void {
    const { commId, event, isReplayed } = output;
    const model = this.#models.get(commId);
    if (isReplayed) {
      return;
    }
    if (model === undefined) {
      this.#unclaimed.add(output);
      return;
    }
    const widget = this.#outputs.get(commId) ?? new OutputWidget(this.#options.leftOutText);
    this.#outputs.set(commId, widget);
    const outputs = widget.next(model.state.outputs, event);
    if (outputs !== undefined) {
      this.#models.update(commId, { outputs }, []);
      this.#changedOutputs.add(commId);
      this.#scheduleOutputs();
    }
  }

  /** Sends outputs to the pages a few times a second, and to the kernel once it has handled the previous ones. */
  #scheduleOutputs(): void {
    if (this.#changedOutputs.size > 0) {
      this.#outputTimer ??= setTimeout(() => this.#sendOutputs(), collected);
    }
  }

  #sendOutputs(): void {
    this.#outputTimer = undefined;
    const isFree = this.#own.size === 0;
    for (const commId of this.#changedOutputs) {
      const outputs = this.#models.get(commId)?.state.outputs ?? [];
      const data = { method: "update", state: { outputs }, buffer_paths: [] };
      const message = { commId, targetName: undefined, data, metadata: {}, buffers: [] };
      this.#emit({ type: "comm", message: { ...message, type: "message", parentId: undefined } });
      if (isFree) {
        this.#own.add(this.#connection.sendComm({ ...message, type: "message" }));
      }
    }
    if (isFree) {
      this.#changedOutputs.clear();
    }
  }

  #changeState({ type }: ConnectionState): void {
    if (type === "connected" && this.#wasLost) {
      this.#wasLost = false;
      const isUsed = this.#isRead || this.#listeners.size > 0 || this.#models.all().length > 0;
      this.#isRead = false;
      if (isUsed) {
        void this.read();
      }
    } else if (type !== "connected") {
      this.#wasLost = true;
    }
  }

  #takeEvent(event: KernelEvent): void {
    if (event.type === "restarted" || event.type === "ended") {
      this.#models.clear();
      this.#origins.clear();
      this.#outputs.clear();
      this.#changedOutputs.clear();
      this.#unclaimed.clear();
      this.#own.clear();
      this.#isRead = true;
      this.#emit({ type: "ended" });
    }
  }

  #emit(event: WidgetEvent): void {
    for (const listener of this.#listeners) {
      listener(event);
    }
  }
}

function closeOf(commId: string): CommMessage {
  return { type: "close", commId, targetName: undefined, data: {}, metadata: {}, buffers: [], parentId: undefined };
}
