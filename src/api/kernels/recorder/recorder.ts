import * as z from "zod/mini";
import { exceededLimit } from "../../http/response-limits.ts";
import { phrase } from "../../phrase.ts";
import type { KernelInformation } from "../models.ts";
import type { Steps } from "../protocol/agenda.ts";
import { EvaluationError, evaluatedText } from "../protocol/evaluation.ts";
import { hasSubshells } from "../protocol/kernel-features.ts";
import { internalPrefix, type KernelRequests } from "../protocol/requests.ts";
import type { IncomingMessage } from "../wire/kernel-message.ts";
import { fieldsOf, headerOf } from "../wire/message-codec.ts";
import { installationExpression, type RecorderLimits, readingExpression } from "./recorder-code.ts";

/** A message that the recorder kept. Numbers are consecutive, even if messages were dropped. */
export interface RecordedMessage {
  readonly number: number;
  readonly message: IncomingMessage;
}

/** Where to start reading: after a number, or after the newest of these messages that is still in the recorder. */
export type RecorderMark =
  | { readonly type: "number"; readonly number: number }
  | { readonly type: "messages"; readonly ids: readonly string[] };

export interface RecorderPage {
  readonly messages: readonly RecordedMessage[];
  /** Number of the newest message. Pages are read until it is reached. */
  readonly last: number;
  /** Number of messages after the mark that were dropped; undefined if the mark itself was dropped. */
  readonly dropped: number | undefined;
}

const recorderLimits: RecorderLimits = { bytes: 32 * 1024 * 1024, messages: 100_000 };
const installation = installationExpression(recorderLimits, internalPrefix);
const pageBytes = 2 * 1024 * 1024;
const pageLimits = { values: 2_000_000, depth: 300 };

/** A recorded message: number, channel, header, parent header, metadata, content. */
const recordedMessage = z.array(z.unknown());
const page = z.object({
  after: z.number(),
  known: z.boolean(),
  first: z.number(),
  last: z.number(),
  entries: z.array(recordedMessage),
});

/** The recorder in a Python kernel. Silent requests install and read it, in a subshell if the kernel supports them. */
export class KernelRecorder {
  readonly #requests: KernelRequests;
  readonly #information: KernelInformation;

  constructor(requests: KernelRequests, information: KernelInformation) {
    this.#requests = requests;
    this.#information = information;
  }

  /** True if the recorder can be read while a cell runs. */
  get isConcurrent(): boolean {
    return hasSubshells(this.#information);
  }

  /** Installs the recorder. True if it was already installed. Throws an EvaluationError or a ReplyLostError. */
  *install(): Steps<boolean> {
    switch (yield* evaluatedText(this.#requests, installation, this.#information)) {
      case "True":
        return true;
      case "False":
        return false;
      default:
        throw new EvaluationError(phrase`the kernel didn't install the recorder`);
    }
  }

  /**
   * Reads a page. After that, everything that the kernel published before has arrived. Throws an EvaluationError or a
   * ReplyLostError.
   */
  *read(mark: RecorderMark): Steps<RecorderPage> {
    const [after, ids] = mark.type === "number" ? [mark.number, []] : [0, mark.ids];
    const expression = readingExpression(after, ids, pageBytes);
    const text = yield* evaluatedText(this.#requests, expression, this.#information);
    return pageOf(text, mark);
  }
}

function pageOf(text: string, mark: RecorderMark): RecorderPage {
  if (exceededLimit(Buffer.from(text), pageLimits) !== undefined) {
    throw new EvaluationError(phrase`the recorder's response is too large`);
  }
  const parsed = z.safeParse(page, jsonOf(text));
  if (!parsed.success) {
    throw new EvaluationError(phrase`the recorder's response can't be read`);
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
  const own = headerOf(header);
  return own === undefined || own.msg_id === ""
    ? undefined
    : {
        channel,
        header: own,
        parentHeader: headerOf(parent),
        content: fieldsOf(content),
        metadata: fieldsOf(metadata),
        buffers: [],
        byteLength: 0,
      };
}
