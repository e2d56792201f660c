import { type ICallbacks, type IClassicComm, uuid } from "@jupyter-widgets/base";
import { base64ToBuffer, bufferToBase64 } from "@jupyter-widgets/base-manager";
import type { PageLink } from "./page-link.ts";

type Handler = (message: object) => void;
type Buffers = ArrayBuffer[] | ArrayBufferView[];

/** Passed to the callback of a model when the kernel has handled its message. The model then sends the next one. */
const idleStatus = { header: { msg_type: "status" }, content: { execution_state: "idle" } };

/** The messages of this page that the kernel has not handled yet. */
export class PendingMessages {
  readonly #callbacks = new Map<string, ICallbacks | undefined>();

  add(id: string, callbacks: ICallbacks | undefined): void {
    this.#callbacks.set(id, callbacks);
  }

  handled(id: string): void {
    const status = this.#callbacks.get(id)?.iopub?.status;
    this.#callbacks.delete(id);
    // The library's type requires a whole message, but it reads only the state.
    status?.(idleStatus as unknown as Parameters<typeof status>[0]);
  }
}

/** The comm of a widget that the kernel opened. Its messages go through the extension. */
export class PageComm implements IClassicComm {
  readonly comm_id: string;
  readonly target_name = "jupyter.widget";
  readonly #link: PageLink;
  readonly #pending: PendingMessages;
  #onMessage: Handler | undefined;

  constructor(commId: string, link: PageLink, pending: PendingMessages) {
    this.comm_id = commId;
    this.#link = link;
    this.#pending = pending;
  }

  /** Always throws, because only the kernel opens widgets. */
  open(): string {
    throw new Error("Widgets are opened by the kernel");
  }

  send(data: unknown, callbacks?: ICallbacks, _metadata?: unknown, buffers: Buffers = []): string {
    const id = uuid();
    this.#pending.add(id, callbacks);
    const fields = typeof data === "object" && data !== null ? { ...data } : {};
    const encoded = buffers.map((buffer) => bufferToBase64(bytesOf(buffer)));
    this.#link.send({ type: "send", id, commId: this.comm_id, data: fields, buffers: encoded });
    return id;
  }

  /** Does nothing, because the kernel decides when a widget is closed. */
  close(): string {
    return uuid();
  }

  on_msg(callback: Handler): void {
    this.#onMessage = callback;
  }

  /** Does nothing, because the manager closes the model. */
  on_close(): void {}

  /** Passes a message of the kernel to the widget. */
  deliver(data: object, buffers: readonly DataView[], parent: string | undefined): void {
    const content = { comm_id: this.comm_id, data };
    this.#onMessage?.({ content, buffers: [...buffers], parent_header: { msg_id: parent ?? "" } });
  }
}

export function viewOf(base64: string): DataView {
  return new DataView(base64ToBuffer(base64));
}

function bytesOf(buffer: ArrayBuffer | ArrayBufferView): ArrayBuffer {
  const bytes =
    buffer instanceof ArrayBuffer
      ? new Uint8Array(buffer)
      : new Uint8Array(buffer.buffer, buffer.byteOffset, buffer.byteLength);
  return bytes.slice().buffer;
}
