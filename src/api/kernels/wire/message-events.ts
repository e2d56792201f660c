import { shortened } from "../../text.ts";
import type { CommMessage } from "../connection/comms.ts";
import type { ExecutionEvent, MimeBundle } from "../executions/executions.ts";
import type { KernelInformation } from "../models.ts";
import { type Fields, type IncomingMessage, inputEchoMember, type MessageHeader } from "./kernel-message.ts";
import { fieldsOf, stringField } from "./message-codec.ts";

/** Maximum number of lines in a traceback, and of items in a reply's payload. */
const maxLines = 10_000;
const maxNameLength = 200;

/**
 * The execution event in a message; undefined for other messages. Replies are handled elsewhere. `now`: the time of a
 * message without a date.
 */
export function eventOf(
  { header, content, metadata, longText }: IncomingMessage,
  now: number,
): ExecutionEvent | undefined {
  switch (header.msg_type) {
    case "stream":
      return {
        type: "stream",
        name: streamNameOf(content),
        text: longText === undefined ? stringField(content.text) : [...longText()].join(""),
        ...(typeof metadata[inputEchoMember] === "string" ? { echoOf: metadata[inputEchoMember] } : {}),
      };
    case "display_data":
      return { type: "display", bundle: bundleOf(content), displayId: displayIdOf(content) };
    case "execute_result":
      return {
        type: "result",
        bundle: bundleOf(content),
        executionCount: countOf(content),
        displayId: displayIdOf(content),
      };
    case "update_display_data": {
      const displayId = displayIdOf(content);
      return displayId === undefined ? undefined : { type: "updateDisplay", bundle: bundleOf(content), displayId };
    }
    case "error":
      return {
        type: "error",
        name: stringField(content.ename),
        value: stringField(content.evalue),
        traceback: listOf(content.traceback).map(stringField),
      };
    case "clear_output":
      return { type: "clearOutput", wait: content.wait === true };
    case "execute_input":
      return { type: "started", executionCount: countOf(content), at: messageTime(header, now) };
    case "input_request":
      return {
        type: "inputRequest",
        id: header.msg_id,
        prompt: stringField(content.prompt),
        password: content.password === true,
      };
    case "status":
      return content.execution_state === "busy" || content.execution_state === "idle"
        ? { type: content.execution_state, at: messageTime(header, now) }
        : undefined;
    default:
      return undefined;
  }
}

/** The events in a message. The text of a long stream message is divided, and read when it is needed. */
export function* eventsOf(message: IncomingMessage, now: number): Generator<ExecutionEvent> {
  const { header, longText } = message;
  if (header.msg_type !== "stream" || longText === undefined) {
    const event = eventOf(message, now);
    if (event !== undefined) {
      yield event;
    }
    return;
  }
  const name = streamNameOf(message.content);
  for (const text of longText()) {
    yield { type: "stream", name, text };
  }
}

/** True for messages with output, which consist almost entirely of the output itself. */
export function isOutput(messageType: string): boolean {
  return outputTypes.has(messageType);
}

const outputTypes: ReadonlySet<string> = new Set([
  ...["stream", "display_data", "execute_result", "update_display_data", "error"],
]);

/** When the sender created the message, in milliseconds since 1970; `now` if the message has no date. */
export function messageTime({ date }: MessageHeader, now: number): number {
  const time = date === undefined ? Number.NaN : Date.parse(date);
  return Number.isFinite(time) ? time : now;
}

/** The execution count of a message; undefined if it has none. */
export function countOf(content: Fields): number | undefined {
  const count = content.execution_count;
  return typeof count === "number" && Number.isSafeInteger(count) ? count : undefined;
}

/** The `payload` of a reply. */
export function payloadOf(content: Fields): readonly Fields[] {
  return listOf(content.payload).map(fieldsOf);
}

/** The comm message in a message; undefined for other messages. */
export function commOf(message: IncomingMessage): CommMessage | undefined {
  const type = commTypes.get(message.header.msg_type);
  if (type === undefined) {
    return undefined;
  }
  const { content, metadata, buffers, parentHeader } = message;
  return {
    type,
    commId: stringField(content.comm_id),
    data: fieldsOf(content.data),
    metadata,
    buffers,
    targetName: typeof content.target_name === "string" ? content.target_name : undefined,
    parentId: parentHeader?.msg_id,
  };
}

const commTypes: ReadonlyMap<string, CommMessage["type"]> = new Map([
  ["comm_open", "open"],
  ["comm_msg", "message"],
  ["comm_close", "close"],
]);

/** The kernel information in a `kernel_info_reply`. */
export function informationOf(content: Fields): KernelInformation {
  const languageInfo = fieldsOf(content.language_info);
  return {
    implementation: shortened(stringField(content.implementation), maxNameLength),
    languageName: shortened(stringField(languageInfo.name), maxNameLength),
    languageInfo,
    banner: shortened(stringField(content.banner), 10_000),
    features: new Set(listOf(content.supported_features).map(stringField)),
  };
}

function bundleOf(content: Fields): MimeBundle {
  return { data: fieldsOf(content.data), metadata: fieldsOf(content.metadata) };
}

function streamNameOf(content: Fields): "stdout" | "stderr" {
  return content.name === "stderr" ? "stderr" : "stdout";
}

function displayIdOf(content: Fields): string | undefined {
  const id = fieldsOf(content.transient).display_id;
  return typeof id === "string" ? id : undefined;
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value.slice(0, maxLines) : [];
}

/** True for the first messages of an execution. One that the kernel aborted has only the first of them. */
export function isBeginning({ header, content }: IncomingMessage): boolean {
  return header.msg_type === "execute_input" || (header.msg_type === "status" && content.execution_state === "busy");
}
