import type { CommMessage } from "../connection/comms.ts";
import type { KernelConnection, KernelEvent, Subscription } from "../connection/connection.ts";
import type { ConnectionState } from "../connection/connection-state.ts";
import type { CapturedOutput } from "../recorder/output-captures.ts";
import type { Fields } from "../wire/kernel-message.ts";
import { OutputWidget } from "./output-widget.ts";
import { stateIn, type WidgetModel, WidgetModels } from "./widget-models.ts";
import { readWidgetStates, widgetTarget } from "./widget-states.ts";

/** What a page that shows widgets has to know. */
export type WidgetEvent =
  /** A widget was opened, got a message, or was closed. `parentId`: the message of a page that it answers. */
  | { readonly type: "comm"; readonly message: CommMessage }
  /** These are the kernel's widgets now, whatever the page had. */
  | { readonly type: "models"; readonly models: readonly WidgetModel[] }
  /** The kernel is done with a message of a page, or will never be. */
  | { readonly type: "handled"; readonly messageId: string }
  /** The kernel's process ended, and all widgets with it. */
  | { readonly type: "ended" };

export interface WidgetSessionOptions {
  /** The line that stands for characters of output that an Output widget no longer shows. */
  readonly leftOutText: (characters: number) => string;
  readonly onError: (error: unknown) => void;
}

/** Milliseconds for which the outputs of an Output widget are collected. */
const collected = 75;
/** Executions whose widgets are remembered. */
const mostOrigins = 20_000;

/** The widgets of one connected kernel: what the kernel says of them is kept, and passed on to the pages that show them. */
export class WidgetSession implements Subscription {
  readonly #connection: KernelConnection;
  readonly #options: WidgetSessionOptions;
  readonly #models = new WidgetModels();
  readonly #listeners = new Set<(event: WidgetEvent) => void>();
  readonly #subscriptions: readonly Subscription[];
  /** `msg_id` of the execution that opened a widget. */
  readonly #origins = new Map<string, string>();
  readonly #outputs = new Map<string, OutputWidget>();
  readonly #changedOutputs = new Set<string>();
  /** Messages of this session itself, whose echoes say nothing new. */
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

  /** The widgets that are known. */
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

  /** Asks the kernel for the widgets that it has, once: an earlier window, or JupyterLab, may have made some. */
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
   * Sends a page's message to a widget. Gives its `msg_id`; undefined for a widget that the kernel does not have, and for
   * a message that is none of a widget's.
   */
  send(commId: string, data: Fields, buffers: readonly Uint8Array[]): string | undefined {
    const isUpdate = data.method === "update";
    if (!this.#models.has(commId) || !(isUpdate || data.method === "custom")) {
      return undefined;
    }
    if (isUpdate) {
      const { state, buffers: found } = stateIn(data, buffers);
      this.#models.update(commId, state, found);
    }
    const message = { commId, targetName: undefined, data, metadata: {}, buffers };
    return this.#connection.sendComm({ ...message, type: "message", cellMessageId: this.#origins.get(commId) });
  }

  dispose(): void {
    clearTimeout(this.#outputTimer);
    for (const subscription of this.#subscriptions) {
      subscription.dispose();
    }
    this.#listeners.clear();
  }

  async #read(): Promise<void> {
    const { models, isComplete } = await readWidgetStates(this.#connection);
    this.#isRead = isComplete;
    const found = new Set(models.map(({ commId }) => commId));
    for (const { commId } of isComplete ? this.#models.all() : []) {
      if (!found.has(commId)) {
        this.#close(commId);
        this.#emit({ type: "comm", message: closeOf(commId) });
      }
    }
    for (const { commId, state, buffers } of models) {
      // A busy kernel has not taken the last outputs yet.
      const { outputs } = this.#outputs.has(commId) ? (this.#models.get(commId)?.state ?? {}) : {};
      this.#models.open(commId, outputs === undefined ? state : { ...state, outputs }, buffers);
    }
    this.#emit({ type: "models", models: models.flatMap(({ commId }) => this.#models.get(commId) ?? []) });
  }

  #take(message: CommMessage): void {
    const { type, commId, data, parentId } = message;
    if (type === "open") {
      if (message.targetName !== widgetTarget) {
        return;
      }
      const { state, buffers } = stateIn(data, message.buffers);
      this.#models.open(commId, state, buffers);
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
    if (this.#origins.size > mostOrigins && oldest !== undefined) {
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

  #capture({ commId, event, isReplayed }: CapturedOutput): void {
    const model = this.#models.get(commId);
    if (isReplayed || model === undefined) {
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

  /** Outputs go to the pages a few times a second, and to the kernel, which keeps them, when it took the last ones. */
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
