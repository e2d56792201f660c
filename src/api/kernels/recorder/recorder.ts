import * as z from "zod/mini";
import { exceededLimit } from "../../http/answer-limits.ts";
import { phrase } from "../../phrase.ts";
import { WordedError } from "../../worded-error.ts";
import { internalPrefix, type KernelRequests } from "../connection/kernel-requests.ts";
import type { KernelInformation } from "../models.ts";
import type { IncomingMessage } from "../wire/kernel-message.ts";
import { fieldsOf, textOf } from "../wire/message-codec.ts";
import { installationExpression, type RecorderLimits, readingExpression } from "./recorder-code.ts";

/** A message that the recorder kept. Numbers follow each other without a gap, whatever was dropped. */
export interface RecordedMessage {
  readonly number: number;
  readonly message: IncomingMessage;
}

/** From where on to read: after a number, or after the newest of these messages that the recorder has. */
export type RecorderMark =
  | { readonly type: "number"; readonly number: number }
  | { readonly type: "messages"; readonly ids: readonly string[] };

export interface RecorderPage {
  readonly messages: readonly RecordedMessage[];
  /** Number of the newest message; pages are read until it is reached. */
  readonly last: number;
  /** How many messages after the mark were dropped; undefined where the mark itself was. */
  readonly dropped: number | undefined;
}

const recorderLimits: RecorderLimits = { bytes: 32 * 1024 * 1024, messages: 100_000 };
const pageBytes = 2 * 1024 * 1024;
const pageLimits = { values: 2_000_000, depth: 300 };

/** Number, channel, header, parent header, metadata, content. */
const recordedMessage = z.array(z.unknown());
const page = z.object({
  after: z.number(),
  known: z.boolean(),
  first: z.number(),
  last: z.number(),
  entries: z.array(recordedMessage),
});

/** The recorder is missing, or its answer cannot be read. */
class RecorderError extends WordedError {
  override readonly name = "RecorderError";
}

/** The recorder in a Python kernel: installed and read over silent requests, in a subshell where the kernel has them. */
export class KernelRecorder {
  readonly #requests: KernelRequests;
  readonly #hasSubshells: boolean;

  constructor(requests: KernelRequests, information: KernelInformation) {
    this.#requests = requests;
    this.#hasSubshells = information.features.has("kernel subshells");
  }

  /** True when it can be read while a cell runs. */
  get isConcurrent(): boolean {
    return this.#hasSubshells;
  }

  /** Installs it unless it is there; true when it was. Throws a RecorderError or a ReplyLostError. */
  async install(): Promise<boolean> {
    switch (await this.#evaluated(installationExpression(recorderLimits, internalPrefix))) {
      case "True":
        return true;
      case "False":
        return false;
      default:
        throw new RecorderError(phrase`the kernel did not install the recorder`);
    }
  }

  /** Reads a page. All that the kernel had published before has arrived when it resolves. */
  async read(mark: RecorderMark): Promise<RecorderPage> {
    const [after, ids] = mark.type === "number" ? [mark.number, []] : [0, mark.ids];
    return pageOf(await this.#evaluated(readingExpression(after, ids, pageBytes)), mark);
  }

  /** The text of an expression's value. It is evaluated without a trace in the person's namespace, history and output. */
  async #evaluated(expression: string): Promise<string> {
    const subshell = this.#hasSubshells ? await this.#createSubshell() : undefined;
    const flags = { code: "", silent: true, store_history: false, allow_stdin: false, stop_on_error: false };
    try {
      const reply = await this.#requests.request(
        "shell",
        "execute_request",
        { ...flags, user_expressions: { recorder: expression } },
        { subshell, idle: true },
      );
      if (reply.content.status !== "ok") {
        throw new RecorderError(
          phrase`the recorder failed: ${textOf(reply.content.evalue) || phrase`the request was aborted`}`,
        );
      }
      const value = fieldsOf(fieldsOf(reply.content.user_expressions).recorder);
      if (value.status !== "ok") {
        throw new RecorderError(phrase`the recorder failed: ${textOf(value.evalue)}`);
      }
      return textOf(fieldsOf(value.data)["text/plain"]);
    } finally {
      if (subshell !== undefined) {
        // Nobody waits for the end of a thread.
        this.#requests.request("control", "delete_subshell_request", { subshell_id: subshell }).catch(() => {});
      }
    }
  }

  async #createSubshell(): Promise<string> {
    const { content } = await this.#requests.request("control", "create_subshell_request", {});
    const subshell = textOf(content.subshell_id);
    if (subshell === "") {
      throw new RecorderError(phrase`the kernel did not create a subshell`);
    }
    return subshell;
  }
}

function pageOf(text: string, mark: RecorderMark): RecorderPage {
  if (exceededLimit(Buffer.from(text), pageLimits) !== undefined) {
    throw new RecorderError(phrase`the recorder's answer is too large`);
  }
  const parsed = z.safeParse(page, jsonOf(text));
  if (!parsed.success) {
    throw new RecorderError(phrase`the recorder's answer cannot be read`);
  }
  const { after, known, first, last, entries } = parsed.data;
  const firstNumber = entries[0]?.[0];
  const start = typeof firstNumber === "number" ? firstNumber : last + 1;
  const messages = entries.flatMap(([number, channel, header, parent, metadata, content]) => {
    if (typeof number !== "number" || typeof channel !== "string") {
      return [];
    }
    const message = recorded(channel, header, parent, metadata, content);
    return message === undefined ? [] : [{ number, message }];
  });
  const isComplete = known || (mark.type === "messages" && mark.ids.length === 0);
  return { messages, last, dropped: isComplete ? Math.max(0, start - after - 1) : first === 1 ? 0 : undefined };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function recorded(
  channel: string,
  header: unknown,
  parent: unknown,
  metadata: unknown,
  content: unknown,
): IncomingMessage | undefined {
  const headers = [fieldsOf(header), fieldsOf(parent)].map(({ msg_id, msg_type, session, date }) => ({
    ...{ msg_id: textOf(msg_id), msg_type: textOf(msg_type), session: textOf(session) },
    ...(typeof date === "string" ? { date } : {}),
  }));
  const [own, parentHeader] = headers;
  return own === undefined || own.msg_id === ""
    ? undefined
    : {
        ...{ channel, header: own, parentHeader, content: fieldsOf(content), metadata: fieldsOf(metadata) },
        ...{ buffers: [], byteLength: 0 },
      };
}
