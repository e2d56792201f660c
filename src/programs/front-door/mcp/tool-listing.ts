import type { Effect, Method } from "../../../api/catalogue/operation.ts";
import type { InputSchema } from "./input-schema.ts";
import type { ListedTool } from "./tool.ts";

export interface ListingFacts {
  readonly name: string;
  readonly summary: string;
  /** Further sentences for whoever chooses among the tools. */
  readonly remarks: readonly string[];
  readonly effect: Effect;
  readonly isIdempotent: boolean;
  readonly inputSchema: InputSchema;
}

/** Every tool answers an object of this form; the server's instructions say what it has in place of a long result. */
const outputSchema = { type: "object", properties: { result: {}, nextCursor: { type: "string" } } } as const;

const destroys = "It removes or replaces what is there: a person is asked to confirm it.";

/** A tool as the protocol lists it, with the hints that its effect tells. */
export function listedTool({ name, summary, remarks, effect, isIdempotent, inputSchema }: ListingFacts): ListedTool {
  const title = summary.split(/[;:]|, (?:a page|at most|deleted|or )/)[0] ?? summary;
  const sentences = [`${summary}.`, ...remarks, ...(effect === "destroy" ? [destroys] : [])].filter(Boolean);
  return {
    name,
    title,
    description: sentences.join(" "),
    inputSchema,
    outputSchema,
    annotations: {
      title,
      readOnlyHint: effect === "read",
      destructiveHint: effect === "destroy",
      idempotentHint: isIdempotent,
      openWorldHint: false,
    },
  };
}

/** The tool's name for an operation's id: `workflows.versions.createFirst` is `workflows_versions_create_first`. */
export function toolNameOf(operationId: string): string {
  return operationId.replaceAll(".", "_").replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** True for what can be done twice as well as once. */
export function isIdempotent(method: Method, effect: Effect, operationId: string): boolean {
  // These make one more copy with each call, although they are a PUT.
  const copies = /\.duplicate/.test(operationId);
  return effect === "read" || ((method === "PUT" || method === "DELETE") && !copies);
}
