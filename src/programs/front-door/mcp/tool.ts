import type { Effect } from "../../../api/catalogue/operation.ts";
import type { ContentClient, PlatformClient } from "../../../api/client/client.ts";
import type { ListFacts } from "./answer-pages.ts";
import type { Position } from "./cursor.ts";
import type { InputSchema } from "./input-schema.ts";
import type { Toolset } from "./toolsets.ts";

export type Arguments = Readonly<Record<string, unknown>>;

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

/** What a call of a tool may reach, as the user that it is made for. */
export interface Reach {
  readonly signal: AbortSignal;
  /** Throws a ToolFault where no credential is stored, or none can be had. */
  platform(): Promise<PlatformClient>;
  /** Throws a ToolFault where the workspace does not run, its server is unknown, or no notebook token is stored. */
  content(workspaceId: string): Promise<ContentClient>;
}

/** Which part of its answer a call asks for. */
export interface Wanted {
  readonly position: Position;
  readonly limit: number | undefined;
}

/** A tool's whole answer, of which as much is shown as fits. */
export interface Answered {
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
  /** Throws a PlatformError of kind `request` or a ToolFault for arguments that it does not take. Sends nothing. */
  check(given: Arguments): void;
  run(given: Arguments, wanted: Wanted, reach: Reach): Promise<Answered>;
}

/** Why a tool could not do what it was asked: told to the caller as the tool's answer. */
export class ToolFault extends Error {
  override readonly name = "ToolFault";
  /** What kind of fault it is, for a caller that is a program. */
  readonly kind: ToolFaultKind;

  constructor(kind: ToolFaultKind, message: string) {
    super(message);
    this.kind = kind;
  }
}

export type ToolFaultKind =
  | "arguments"
  | "cursor"
  | "confirmation"
  | "credential"
  | "dependency"
  | "workspace"
  | "archive"
  | "conflict"
  | "tooLarge";
