import * as z from "zod/mini";
import { ownInputSchema, workspaceIdSchema } from "./input-schema.ts";
import { type Answered, type Arguments, type Reach, type Tool, ToolFault } from "./tool.ts";
import { listedTool } from "./tool-listing.ts";
import type { Toolset } from "./toolsets.ts";

/** A tool that is no operation's: what it takes and what it does. */
export interface OwnTool<Shape extends z.ZodMiniType> {
  readonly name: string;
  readonly toolset: Toolset;
  readonly summary: string;
  readonly remarks: readonly string[];
  readonly shape: Shape;
  /** What its arguments are, for those whose names do not tell. */
  readonly about: Readonly<Record<string, string>>;
  readonly effect: "read" | "change";
  /** Refuses arguments beyond what the shape says. Sends nothing. */
  readonly check?: (given: z.output<Shape>) => void;
  readonly run: (given: z.output<Shape>, reach: Reach) => Promise<Answered>;
}

/** Of an answer that is a person's own content, all of which comes at once. */
export const ownContent = { facts: { limit: undefined, total: undefined }, isContent: true } as const;

/** The frame of a tool around what it does: listed by its shape, its arguments judged by it. */
export function ownTool<Shape extends z.ZodMiniType>(own: OwnTool<Shape>): Tool {
  const { name, toolset, summary, remarks, effect } = own;
  const inputSchema = describedSchema(own);
  const parsed = (given: Arguments): z.output<Shape> => {
    const { cursor: _, ...rest } = given;
    const result = z.safeParse(own.shape, rest);
    if (!result.success) {
      const [issue] = result.error.issues;
      const member = issue?.path.map(String).join(".") || "arguments";
      throw new ToolFault("arguments", `${name}: ${member}: ${issue?.message || "it is not of a form that it takes"}.`);
    }
    return result.data;
  };
  return {
    listed: listedTool({ name, summary, remarks, effect, isIdempotent: effect === "read", inputSchema }),
    toolset,
    effect,
    check: (given) => {
      const input = parsed(given);
      own.check?.(input);
    },
    run: (given, _, reach) => own.run(parsed(given), reach),
  };
}

function describedSchema<Shape extends z.ZodMiniType>({ shape, effect, about }: OwnTool<Shape>) {
  const schema = ownInputSchema(shape, effect === "read");
  const described = Object.entries(schema.properties).map(([member, inner]) => {
    const description = about[member];
    const full = member === "workspaceId" ? workspaceIdSchema : inner;
    return [member, description === undefined || typeof full !== "object" ? full : { ...full, description }];
  });
  return { ...schema, properties: Object.fromEntries(described) };
}
