import type { JsonSchema } from "../../../api/catalogue/body-schema.ts";
import type { Effect } from "../../../api/catalogue/operation.ts";
import type { ContentClient, PlatformClient } from "../../../api/client/client.ts";
import type { Toolset } from "../config/configuration.ts";
import type { Picture } from "./pictures.ts";
import type { ListFacts, Position } from "./response-paging.ts";

export type Arguments = Readonly<Record<string, unknown>>;

/** The input of a tool: a JSON schema (2020-12) of one object, as the protocol requires. */
export interface InputSchema extends Readonly<Record<string, unknown>> {
  readonly type: "object";
  readonly properties: NonNullable<JsonSchema["properties"]>;
  readonly required?: readonly string[];
  readonly additionalProperties: false;
}

/** A tool in the protocol's list. */
export interface ListedTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: InputSchema;
  readonly annotations: {
    readonly title: string;
    readonly readOnlyHint: boolean;
    readonly destructiveHint: boolean;
    readonly idempotentHint: boolean;
    readonly openWorldHint: boolean;
  };
}

/** The clients of a tool call. They act as the caller. */
export interface ToolClients {
  /** A string that identifies the caller. */
  readonly person: string;
  /** Removes the credentials of the call from a text. Must be called before the text is truncated. */
  redacted(text: string): string;
  readonly signal: AbortSignal;
  /** Throws a ToolError if no credential is stored, or if it can't be fetched. */
  platform(): Promise<PlatformClient>;
  /** Throws a ToolError if the workspace is not running, its server is unknown, or no notebook token is stored. */
  content(workspaceId: string): Promise<ContentClient>;
}

/** The requested page of a result. */
export interface ToolPageRequest {
  readonly position: Position;
  readonly limit: number | undefined;
}

/** The complete result of a tool, before paging. */
export interface ToolResponse {
  readonly value: unknown;
  readonly facts: ListFacts;
  /** True if the result is the user's own file, in which only the credentials of the call are masked. */
  readonly isContent: boolean;
  /** The member with a text that is split separately if the result is too long. */
  readonly longMember?: string;
  readonly pictures?: readonly Picture[];
}

/** A tool: its listing, its argument check, and its work. */
export interface Tool {
  readonly listed: ListedTool;
  readonly toolset: Toolset;
  readonly effect: Effect;
  /** The text argument that a user must see in full before confirming the call. */
  readonly shownInFull?: string | undefined;
  /** Checks the arguments. Throws a PlatformError of kind `request`, or a ToolError. Sends nothing. */
  check(given: Arguments): void;
  run(given: Arguments, page: ToolPageRequest, clients: ToolClients): Promise<ToolResponse>;
}

/** Why a tool call failed. Reported to the caller as the tool's result. */
export class ToolError extends Error {
  override readonly name = "ToolError";
  /** The kind of error, for programs. */
  readonly kind: ToolErrorKind;

  constructor(kind: ToolErrorKind, message: string) {
    super(message);
    this.kind = kind;
  }
}

export type ToolErrorKind =
  | "arguments"
  | "cursor"
  | "confirmation"
  | "credential"
  | "dependency"
  | "workspace"
  | "archive"
  | "conflict"
  | "tooLarge";
