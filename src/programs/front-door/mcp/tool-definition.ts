import * as z from "zod/mini";
import { acceptsBody, type JsonSchema } from "../../../api/catalogue/body-schema.ts";
import type { AnyOperation, Effect, Method } from "../../../api/catalogue/operation.ts";
import type { Toolset } from "../config/configuration.ts";
import { limitSchemaOf, type ToolPaging, withoutPaging } from "./operation-paging.ts";
import { askedCharacters, usualCharacters } from "./result-limits.ts";
import {
  type Arguments,
  type InputSchema,
  type ListedTool,
  type Tool,
  type ToolClients,
  ToolError,
  type ToolResponse,
} from "./tool.ts";

interface ListingFacts {
  readonly name: string;
  readonly summary: string;
  /** Additional sentences that help to choose a tool. */
  readonly remarks: readonly string[];
  readonly effect: Effect;
  readonly isIdempotent: boolean;
  /** True for a tool that can reach more than the platform. */
  readonly isOpenWorld?: boolean | undefined;
  readonly inputSchema: InputSchema;
}

const confirmedBecause: Readonly<Partial<Record<Effect, string>>> = {
  grant: "Gives access, so the user is asked to confirm it.",
  run: "Runs something, so the user is asked to confirm it.",
  destroy: "Removes, replaces, or stops something, so the user is asked to confirm it.",
};

/** Creates the protocol's listing of a tool, with the hints for its effect. */
export function listedTool(facts: ListingFacts): ListedTool {
  const { name, summary, remarks, effect, isIdempotent, isOpenWorld = false, inputSchema } = facts;
  const title = summary.split(/[;:.]|, (?:a page|at most|deleted|or )/)[0] ?? summary;
  const sentences = [
    summary.endsWith(".") ? summary : `${summary}.`,
    ...remarks,
    confirmedBecause[effect] ?? "",
  ].filter(Boolean);
  return {
    name,
    title,
    description: sentences.join(" "),
    inputSchema,
    annotations: {
      title,
      readOnlyHint: effect === "read",
      destructiveHint: effect === "destroy" || effect === "run",
      idempotentHint: isIdempotent,
      openWorldHint: isOpenWorld,
    },
  };
}

/** Maximum length of a name. Clients leave out a tool if its name and the server's have more than 60 characters. */
export const maxToolNameLength = 30;

/**
 * The tool name for an operation id: `workflows_versions_create` for `workflows.versions.create`. A name that is too long
 * omits the second part of the id: `workflows_create_first` for `workflows.versions.createFirst`.
 */
export function toolNameOf(operationId: string): string {
  const [family = "", second = "", ...others] = operationId
    .split(".")
    .map((part) => part.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));
  const name = [family, second, ...others].join("_");
  return name.length > maxToolNameLength ? [family, ...others].join("_") : name;
}

/** True if repeating the call has no additional effect. */
export function isIdempotent(method: Method, effect: Effect, operationId: string): boolean {
  // Each call creates another copy, even though it uses PUT.
  const copies = /\.duplicate/.test(operationId);
  return effect === "read" || ((method === "PUT" || method === "DELETE") && !copies);
}

/** Members of tools in addition to those of an operation. */
const workspaceIdSchema: JsonSchema = {
  type: "string",
  minLength: 1,
  description: "The ID of the notebook workspace, as returned by workspaces_search. The workspace must be running.",
};
const cursorSchema: JsonSchema = {
  type: "string",
  minLength: 1,
  description: "The nextCursor of the previous response, to continue. All other arguments must stay the same.",
};
const maxCharactersSchema: JsonSchema = {
  type: "integer",
  ...askedCharacters,
  description: `The maximum number of characters to return at once. ${usualCharacters} by default.`,
};
/** Members of all tools that only read. */
const readingMembers = { cursor: cursorSchema, maxCharacters: maxCharactersSchema };
const limitText = "The maximum number of items to return at once.";

/**
 * The input schema of an operation's tool: its parameters, its `body`, and `limit` and `cursor` instead of its paging.
 */
export function operationInputSchema(operation: AnyOperation, paging: ToolPaging | undefined): InputSchema {
  const own = inputSchemaOf(
    z.strictObject({
      ...operation.pathParameters,
      ...operation.queryParameters,
      ...(acceptsBody(operation) ? { body: operation.body } : {}),
    }),
  );
  const isInWorkspace = operation.credential === "notebook";
  const properties: NonNullable<JsonSchema["properties"]> = {
    ...(isInWorkspace ? { workspaceId: workspaceIdSchema } : {}),
    ...(paging === undefined ? own.properties : withoutPaging(paging, own.properties)),
    ...(paging === undefined ? {} : { limit: describedLimit(limitSchemaOf(paging, own.properties), paging) }),
    ...(operation.effect === "read" ? readingMembers : {}),
  };
  const required = [...(isInWorkspace ? ["workspaceId"] : []), ...(own.required ?? [])].filter(
    // A body that is needed only for paging is not required.
    (name, index, all) => all.indexOf(name) === index && !(name === "body" && paging?.place === "body"),
  );
  return { ...own, properties, required };
}

/** The JSON schema of a shape, without meaningless limits. */
function inputSchemaOf(shape: z.ZodMiniType): InputSchema {
  const { properties = {}, required = [] } = z.toJSONSchema(shape, {
    io: "input",
    unrepresentable: "any",
    target: "draft-2020-12",
    override: ({ jsonSchema }) => {
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) {
        delete jsonSchema.maximum;
      }
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) {
        delete jsonSchema.minimum;
      }
      if (jsonSchema.format !== undefined) {
        delete jsonSchema.pattern;
      }
      delete jsonSchema.propertyNames;
    },
  });
  return { type: "object", properties, required, additionalProperties: false };
}

/** The arguments without those that all tools have that only read. */
export function ownArguments(given: Arguments): Arguments {
  return Object.fromEntries(Object.entries(given).filter(([name]) => !Object.hasOwn(readingMembers, name)));
}

/** The input schema of a custom tool, with a cursor if its result can be continued. */
function customInputSchema(shape: z.ZodMiniType, goesOn: boolean): InputSchema {
  const own = inputSchemaOf(shape);
  return goesOn ? { ...own, properties: { ...own.properties, ...readingMembers } } : own;
}

function describedLimit(schema: JsonSchema, { pageSize, isAlways }: ToolPaging): JsonSchema {
  return { ...schema, ...(isAlways ? { default: pageSize } : {}), description: limitText };
}

/** The definition of a tool that is not generated from an operation. */
export interface CustomTool<Shape extends z.ZodMiniType> {
  readonly name: string;
  readonly toolset: Toolset;
  readonly summary: string;
  readonly remarks: readonly string[];
  readonly shape: Shape;
  /** Descriptions of arguments whose names don't explain them. */
  readonly about: Readonly<Record<string, string>>;
  readonly effect: Effect;
  readonly isOpenWorld?: boolean;
  readonly shownInFull?: string;
  /** Checks the arguments beyond the shape. Throws a ToolError. Sends nothing. */
  readonly check?: (given: z.output<Shape>) => void;
  readonly run: (given: z.output<Shape>, clients: ToolClients) => Promise<ToolResponse>;
}

/** The facts of a result that is the user's own, complete content. */
export const wholeContent = { facts: { limit: undefined, total: undefined }, isContent: true } as const;

/** Creates a tool from its definition. Its shape is used for the listing and for checking arguments. */
export function customTool<Shape extends z.ZodMiniType>(own: CustomTool<Shape>): Tool {
  const { name, toolset, summary, remarks, effect, isOpenWorld } = own;
  const inputSchema = describedSchema(own);
  const parsed = (given: Arguments): z.output<Shape> => {
    const result = z.safeParse(own.shape, ownArguments(given));
    if (!result.success) {
      const [issue] = result.error.issues;
      const member = issue?.path.map(String).join(".") || "arguments";
      throw new ToolError("arguments", `${name}: ${member}: ${issue?.message || "it has an invalid format"}.`);
    }
    return result.data;
  };
  return {
    listed: listedTool({ name, summary, remarks, effect, isIdempotent: effect === "read", isOpenWorld, inputSchema }),
    toolset,
    effect,
    shownInFull: own.shownInFull,
    check: (given) => {
      const input = parsed(given);
      own.check?.(input);
    },
    run: (given, _, clients) => own.run(parsed(given), clients),
  };
}

function describedSchema<Shape extends z.ZodMiniType>({ shape, effect, about }: CustomTool<Shape>) {
  const schema = customInputSchema(shape, effect === "read");
  const described = Object.entries(schema.properties).map(([member, inner]) => {
    const description = about[member];
    const full = member === "workspaceId" ? workspaceIdSchema : inner;
    return [member, description === undefined || typeof full !== "object" ? full : { ...full, description }];
  });
  return { ...schema, properties: Object.fromEntries(described) };
}
