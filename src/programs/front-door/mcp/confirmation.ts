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
import { boundTo, digestOf } from "./answer-paging.ts";
import { type Arguments, type Tool, ToolError } from "./tool.ts";

/** What a client carries between being asked and asking again: which call of which person was to be confirmed. */
interface ConfirmationState {
  readonly call: string;
}

export type ConfirmationCodec = RequestStateCodec<ConfirmationState>;

const minutes = 5;
const key = "confirm";
const longestValue = 80;
const mostLines = 10;

/** Signs and checks what a client carries; the secret has at least 32 bytes and is the same on every instance. */
export function confirmationCodec(secret: string): ConfirmationCodec {
  return createRequestStateCodec<ConfirmationState>({ key: secret, ttlSeconds: minutes * 60 });
}

/** Who calls what: the confirmation of one call by one person is no other's. */
interface ConfirmedCall {
  readonly tool: Tool;
  readonly given: Arguments;
  readonly issuer: string;
  readonly subject: string;
}

/**
 * Undefined when the person has confirmed exactly this call, else the question for the client. Throws a ToolError when the
 * person said no, and for a client that cannot ask unless its own confirmation is trusted.
 */
export async function confirmed(
  call: ConfirmedCall,
  context: ServerContext,
  codec: ConfirmationCodec,
  policy: "required" | "leftToClient",
): Promise<InputRequiredResult | undefined> {
  if (!canAsk(context)) {
    if (policy === "leftToClient") {
      return undefined;
    }
    throw new ToolError(
      "confirmation",
      `${call.tool.listed.name} removes or replaces what is there, which a person has to confirm. This client cannot ask for it (it declares no elicitation), so nothing was done.`,
    );
  }
  const state = context.mcpReq.requestState<ConfirmationState>();
  const bound = digestOf(boundTo(call.tool.listed.name, [call.issuer, call.subject, call.given]));
  const answer = inputResponse(context.mcpReq.inputResponses, key);
  if (answer.kind === "missing" || !isState(state) || state.call !== bound) {
    return inputRequired({
      inputRequests: {
        [key]: inputRequired.elicit({ message: questionOf(call), requestedSchema }),
      },
      requestState: await codec.mint({ call: bound }, context),
    });
  }
  if (answer.kind === "elicit" && answer.action === "accept" && isYes(answer.content)) {
    return undefined;
  }
  throw new ToolError("confirmation", `${call.tool.listed.title}: it was not confirmed, so nothing was done.`);
}

const requestedSchema = {
  type: "object" as const,
  properties: {
    confirm: { type: "boolean" as const, title: "Do it", description: "It cannot be undone from here." },
  },
  required: ["confirm"],
};

const stateForm = z.object({ call: z.string() });

function isState(state: unknown): state is ConfirmationState {
  return z.safeParse(stateForm, state).success;
}

function isYes(content: unknown): boolean {
  return z.safeParse(z.object({ confirm: z.literal(true) }), content).success;
}

const capabilities = z.object({
  elicitation: z.object({ form: z.optional(z.unknown()), url: z.optional(z.unknown()) }),
});

/** True for a client that declares, on this request, that it can ask its person with a form. */
function canAsk(context: ServerContext): boolean {
  const envelope: Readonly<Record<string, unknown>> = { ...context.mcpReq.envelope };
  const parsed = z.safeParse(capabilities, envelope[CLIENT_CAPABILITIES_META_KEY]);
  const { form, url } = parsed.success ? parsed.data.elicitation : { form: undefined, url: undefined };
  return parsed.success && (form !== undefined || url === undefined);
}

/** What is to be done to what, named up to ten. */
function questionOf({ tool, given }: ConfirmedCall): string {
  const lines = linesOf(given, "");
  const more = lines.length - mostLines;
  return [`${tool.listed.title}?`, ...lines.slice(0, mostLines), ...(more > 0 ? [`and ${more} more`] : [])].join("\n");
}

function linesOf(value: unknown, name: string): readonly string[] {
  if (typeof value === "object" && value !== null) {
    return Object.entries(value).flatMap(([member, inner]) =>
      linesOf(inner, name === "" ? member : `${name}.${member}`),
    );
  }
  const text = String(value);
  return [`${name}: ${text.length > longestValue ? `${text.slice(0, longestValue)}…` : text}`];
}
