import { randomUUID } from "node:crypto";
import {
  CLIENT_CAPABILITIES_META_KEY,
  createRequestStateCodec,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  type RequestStateCodec,
  type ServerContext,
} from "@modelcontextprotocol/server";
import * as z from "zod/mini";
import { onOneLine } from "../../../api/displayed-text.ts";
import { shortened } from "../../../api/text.ts";
import { isRejection, type Rejection } from "../http/rejections.ts";
import { confirmationMilliseconds, type StateStore } from "../shared-state/state-store.ts";
import { digestOf } from "./response-paging.ts";
import { type Arguments, type Tool, ToolError } from "./tool.ts";

/** The state that a client carries from a question to its answer. */
interface ConfirmationState {
  readonly call: string;
  /** Each question has an id, so that its answer can be used only once. */
  readonly id: string;
}

/** Signs and verifies the state, and tracks which answers were used. */
export interface Confirmations {
  readonly codec: RequestStateCodec<ConfirmationState>;
  /** `isFirst` is true only for the first use of an answer. A rejection if that can't be determined. */
  use(id: string): Promise<{ readonly isFirst: boolean } | Rejection>;
}

const key = "confirm";
const maxValueLength = 120;
const maxNameLength = 40;
const maxLines = 10;

/** `secret` has at least 32 bytes, and is the same for all instances. */
export function createConfirmations(secret: string, state: Pick<StateStore, "use">): Confirmations {
  return {
    codec: createRequestStateCodec<ConfirmationState>({ key: secret, ttlSeconds: confirmationMilliseconds / 1000 }),
    use: (id) => state.use(id),
  };
}

/** A destructive call. `bound` is the call with its user in the format of `boundTo`. */
interface ConfirmedCall {
  readonly tool: Tool;
  readonly given: Arguments;
  readonly tenant: string | undefined;
  readonly bound: string;
}

/**
 * Undefined if the user confirmed exactly this call; otherwise the question for the client. Throws a ToolError if the
 * user declined. If the client can't ask its user, throws one unless `policy` relies on the client's own confirmation.
 */
export async function confirmed(
  call: ConfirmedCall,
  context: ServerContext,
  confirmations: Confirmations,
  policy: "required" | "leftToClient",
): Promise<InputRequiredResult | undefined> {
  if (!canAsk(context)) {
    if (policy === "leftToClient") {
      return undefined;
    }
    throw new ToolError(
      "confirmation",
      `${call.tool.listed.name} removes, replaces, stops, or runs something and requires the user's confirmation. This client does not support elicitation, so nothing was done.`,
    );
  }
  const state = context.mcpReq.requestState<ConfirmationState>();
  const digest = digestOf(call.bound);
  const response = inputResponse(context.mcpReq.inputResponses, key);
  const isDecided = response.kind !== "missing" && isState(state) && state.call === digest;
  if (!isDecided || !(await isFirstUse(state, confirmations, call.tool))) {
    return inputRequired({
      inputRequests: {
        [key]: inputRequired.elicit({ message: questionOf(call), requestedSchema }),
      },
      requestState: await confirmations.codec.mint({ call: digest, id: randomUUID() }, context),
    });
  }
  if (response.kind === "elicit" && response.action === "accept" && isYes(response.content)) {
    return undefined;
  }
  throw new ToolError("confirmation", `${call.tool.listed.title} was not confirmed. Nothing was done.`);
}

async function isFirstUse({ id }: ConfirmationState, confirmations: Confirmations, { listed }: Tool): Promise<boolean> {
  const used = await confirmations.use(id);
  if (isRejection(used)) {
    throw new ToolError(
      "dependency",
      `${listed.title} was not run: the server can't check right now whether this confirmation was used before. Try again later.`,
    );
  }
  return used.isFirst;
}

const requestedSchema = {
  type: "object" as const,
  properties: {
    confirm: { type: "boolean" as const, title: "Do it", description: "This can't be undone from here." },
  },
  required: ["confirm"],
};

const stateForm = z.object({ call: z.string(), id: z.string() });

function isState(state: unknown): state is ConfirmationState {
  return z.safeParse(stateForm, state).success;
}

function isYes(content: unknown): boolean {
  return z.safeParse(z.object({ confirm: z.literal(true) }), content).success;
}

const capabilities = z.object({
  elicitation: z.object({ form: z.optional(z.unknown()), url: z.optional(z.unknown()) }),
});

/** True if the client declares in this request that it can ask its user with a form. */
function canAsk(context: ServerContext): boolean {
  const envelope: Readonly<Record<string, unknown>> = { ...context.mcpReq.envelope };
  const parsed = z.safeParse(capabilities, envelope[CLIENT_CAPABILITIES_META_KEY]);
  const { form, url } = parsed.success ? parsed.data.elicitation : { form: undefined, url: undefined };
  return parsed.success && (form !== undefined || url === undefined);
}

interface QuestionFacts {
  readonly tool: Pick<Tool, "listed" | "shownInFull">;
  readonly given: Arguments;
  readonly tenant?: string | undefined;
}

/**
 * The question to the user: what to do and in which tenant, with up to ten arguments in the order of the tool's schema, and the number of
 * remaining ones. An argument can't imitate another one, or a line of the question.
 */
export function questionOf({ tool, given, tenant }: QuestionFacts): string {
  const listed = Object.keys(tool.listed.inputSchema.properties);
  const full = tool.shownInFull;
  const others = Object.entries(given).filter(([name]) => name !== full);
  const inOrder = others.toSorted(([one], [other]) => listed.indexOf(one) - listed.indexOf(other));
  const lines: string[] = [];
  const count = inOrder.reduce((sum, [name, value]) => sum + addLines(lines, value, shown(name, maxNameLength)), 0);
  const more = count - lines.length;
  const whole = full === undefined ? [] : wholeLines(full, String(given[full]));
  const place = tenant === undefined ? "" : ` in the tenant ${tenant}`;
  return [`${tool.listed.title}${place}?`, ...lines, ...(more > 0 ? [`and ${more} more`] : []), ...whole].join("\n");
}

/** The lines of a text, each with a leading bar, so that none can imitate a line of the question. */
function wholeLines(name: string, text: string): readonly string[] {
  return [
    `${name}:`,
    ...text.split(/\r\n|[\n\r\u2028\u2029]/).map((line) => `| ${onOneLine(line.replaceAll("\t", "    "))}`),
  ];
}

/** Adds a line for each value in a value, up to the limit. Returns the number of all values. */
function addLines(lines: string[], value: unknown, name: string): number {
  const members = typeof value === "object" && value !== null ? Object.entries(value) : [];
  if (members.length > 0) {
    return members.reduce((sum, [member, inner]) => {
      const path = lines.length < maxLines ? shortened(`${name}.${shown(member, maxNameLength)}`, maxValueLength) : "";
      return sum + addLines(lines, inner, path);
    }, 0);
  }
  if (lines.length < maxLines) {
    const isEmpty = typeof value === "object" && value !== null;
    lines.push(`${name}: ${isEmpty ? JSON.stringify(value) : shown(String(value), maxValueLength)}`);
  }
  return 1;
}

function shown(text: string, characters: number): string {
  return shortened(onOneLine(text), characters);
}
