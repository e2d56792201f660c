import type { Fields, IncomingMessage, MessageHeader } from "../../../src/api/kernels/wire/kernel-message.ts";

/** Prefix of the ids of requests that belong to no cell. */
export const internalPrefix = "platform-workbench-";
const inputEcho = "platform_workbench_input";
const maxFailedRuns = 100;
/** Characters of a page, so that reading takes several pages. */
const maxPageLength = 8000;

const outputs = new Set(["stream", "display_data", "execute_result", "update_display_data", "error", "clear_output"]);
const channels = new Map<string, string>([
  ...[...outputs, "execute_input", "status"].map((type) => [type, "iopub"] as const),
  ["execute_reply", "shell"],
  ["input_request", "stdin"],
]);

interface Entry {
  readonly number: number;
  readonly channel: string;
  readonly message: IncomingMessage;
  /** Undefined until it is read. */
  json: string | undefined;
}

/** Does in the model what the recorder's Python code does in a kernel: numbers messages, and keeps them. */
export class RecorderModel {
  readonly #maxEntries: number;
  #entries: Entry[] = [];
  #last = 0;
  #published = 0;
  /** The header of the request that began last. */
  #parent: MessageHeader | undefined;
  #run: { readonly id: string; readonly run: string } | undefined;
  #asked = "";
  #failedRuns: string[] = [];
  /** True once a message was dropped to make room. */
  hasEvicted = false;

  constructor(maxEntries: number) {
    this.#maxEntries = maxEntries;
  }

  /** Called with each message that the kernel sends. Returns the one to send instead. */
  record(sent: IncomingMessage): IncomingMessage {
    let message = this.#adopt(sent);
    const type = message.header.msg_type;
    const parent = message.parentHeader?.msg_id ?? "";
    if (type === "execute_reply" && message.content.status === "error" && this.#run?.id === parent) {
      this.#failedRuns.push(this.#run.run);
      if (this.#failedRuns.length > maxFailedRuns) this.#failedRuns.shift();
    }
    const isOwn = parent.startsWith(internalPrefix);
    if (type === "execute_input" && !isOwn) this.#parent = message.parentHeader;
    if (parent === "" || (isOwn && (type === "status" || type === "execute_reply" || type === "execute_input"))) {
      return message;
    }
    const channel = type === "comm_msg" && isCapture(message) ? "iopub" : channels.get(type);
    if (channel === "iopub") {
      this.#published += 1;
      message = { ...message, header: { ...message.header, publishedNumber: this.#published } };
    } else if (channel === "stdin") {
      this.#asked = message.header.msg_id;
    }
    if (channel !== undefined) this.#keep(channel, message);
    return message;
  }

  /** Called when a request begins. Returns true if its run has failed, so that the kernel must abort it. */
  refuses(id: string, run: string | undefined): boolean {
    if (run === undefined) return false;
    if (this.#failedRuns.includes(run)) return true;
    this.#run = { id, run };
    return false;
  }

  /** Keeps what the user entered. It is not published. */
  echo(message: IncomingMessage): void {
    this.#keep("iopub", { ...message, metadata: { [inputEcho]: this.#asked } });
  }

  /** The header to which threads write from now on; undefined to leave it. */
  get parent(): MessageHeader | undefined {
    return this.#parent;
  }

  /** A page of messages, as JSON. */
  read(mark: number, ids: readonly string[], maxBytes: number): string {
    let after = mark;
    let isKnown = true;
    if (ids.length > 0) {
      const found = this.#entries.findLast(({ message }) => ids.includes(message.header.msg_id));
      isKnown = found !== undefined;
      after = found?.number ?? 0;
    }
    const first = this.#entries[0]?.number ?? this.#last + 1;
    const texts: string[] = [];
    let size = 0;
    for (let index = Math.max(0, after + 1 - first); index < this.#entries.length; index += 1) {
      const entry = this.#entries[index];
      if (entry === undefined) break;
      entry.json ??= jsonOf(entry);
      if (texts.length > 0 && size + entry.json.length > Math.min(maxBytes, maxPageLength)) break;
      size += entry.json.length;
      texts.push(entry.json);
    }
    return `{"after":${after},"known":${isKnown},"first":${first},"last":${this.#last},"entries":[${texts.join(",")}]}`;
  }

  #adopt(message: IncomingMessage): IncomingMessage {
    if (this.#parent === undefined || !outputs.has(message.header.msg_type)) return message;
    const { msg_id = "", msg_type = "" } = message.parentHeader ?? {};
    const isOwn = msg_id.startsWith(internalPrefix) && !msg_type.startsWith("comm_");
    return isOwn || msg_type === "kernel_info_request" ? { ...message, parentHeader: this.#parent } : message;
  }

  #keep(channel: string, message: IncomingMessage): void {
    this.#last += 1;
    this.#entries.push({ number: this.#last, channel, message, json: undefined });
    if (this.#entries.length > this.#maxEntries) {
      this.#entries.shift();
      this.hasEvicted = true;
    }
  }
}

/** True if a widget begins or ends to catch a cell's output. */
function isCapture({ content }: IncomingMessage): boolean {
  const { data } = content;
  const state = typeof data === "object" && data !== null && "state" in data ? data.state : undefined;
  return typeof state === "object" && state !== null && "msg_id" in state;
}

function jsonOf({ number, channel, message }: Entry): string {
  const { header, parentHeader, metadata, content } = message;
  const parts: readonly (Fields | undefined)[] = [headerFields(header), headerFields(parentHeader), metadata, content];
  return `[${number},"${channel}",${parts.map((part) => JSON.stringify(part)).join(",")}]`;
}

/** The members of a header as a kernel sends them. */
function headerFields(header: MessageHeader | undefined): Fields {
  if (header === undefined) return {};
  const { publishedNumber, ...fields } = header;
  return publishedNumber === undefined ? fields : { ...fields, platform_workbench_number: publishedNumber };
}
