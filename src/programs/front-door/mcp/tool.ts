import type { JsonSchema } from "../../../api/catalogue/body-schema.ts";
import type { Effect } from "../../../api/catalogue/operation.ts";
import type { ContentClient, PlatformClient } from "../../../api/client/client.ts";
import type { Toolset } from "../config/configuration.ts";
import type { ListFacts, Position } from "./answer-paging.ts";

export type Arguments = Readonly<Record<string, unknown>>;

/** What a tool takes: a JSON schema (2020-12) of one object, as the protocol wants it. */
export interface InputSchema extends Readonly<Record<string, unknown>> {
  readonly type: "object";
  readonly properties: NonNullable<JsonSchema["properties"]>;
  readonly required?: readonly string[];
  readonly additionalProperties: false;
}

/** A tool as the protocol lists it. */
export interface ListedTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: InputSchema;
  readonly outputSchema: Readonly<Record<string, unknown>> & { readonly type: "object" };
  readonly annotations: {
    readonly title: string;
    readonly readOnlyHint: boolean;
    readonly destructiveHint: boolean;
    readonly idempotentHint: boolean;
    readonly openWorldHint: boolean;
  };
}

/** The clients that a tool call works with; they act as the caller. */
export interface ToolClients {
  /** Who calls: the same text for the same person. */
  readonly person: string;
  /** The text without the credentials of the call: for a text that is cut before it is answered. */
  redacted(text: string): string;
  readonly signal: AbortSignal;
  /** Throws a ToolError where no credential is stored, or none can be had. */
  platform(): Promise<PlatformClient>;
  /** Throws a ToolError where the workspace does not run, its server is unknown, or no notebook token is stored. */
  content(workspaceId: string): Promise<ContentClient>;
}

/** Which part of its answer a call asks for. */
export interface PageRequest {
  readonly position: Position;
  readonly limit: number | undefined;
}

/** A tool's whole answer, of which as much is shown as fits. */
export interface ToolAnswer {
  readonly value: unknown;
  readonly facts: ListFacts;
  /** True where the answer is a person's own file, in which nothing is masked but the credentials of the call. */
  readonly isContent: boolean;
  /** The member that holds a text which is cut by itself, where the answer is too long. */
  readonly longMember?: string;
}

/** A tool: how it is listed, how its arguments are judged, what it does. */
export interface Tool {
  readonly listed: ListedTool;
  readonly toolset: Toolset;
  readonly effect: Effect;
  /** The text argument that a person has to see as a whole before they confirm the call. */
  readonly shownInFull?: string | undefined;
  /** Throws a PlatformError of kind `request` or a ToolError for arguments that it does not take. Sends nothing. */
  check(given: Arguments): void;
  run(given: Arguments, page: PageRequest, clients: ToolClients): Promise<ToolAnswer>;
}

/** Why a tool could not do what it was asked: reported to the caller as the tool's answer. */
export class ToolError extends Error {
  override readonly name = "ToolError";
  /** For a caller that is a program. */
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
