/** The parts of a statement that refer to something of the project. */
export const referenceParts = ["code", "reach", "served"] as const;
export type ReferencePart = (typeof referenceParts)[number];

/** The four parts that a statement of the API description must have. */
export const parts = [...referenceParts, "proof"] as const;
export type Part = (typeof parts)[number];

/**
 * A binding statement of the API description, in the words of this project, with its references. The tests that prove it
 * name it themselves (`tests.ts`).
 *
 * - `code`: where it is implemented: `path#symbol`, or `operation:<id>` for an operation's declaration.
 * - `reach`: how a user can use it: `operation:<id>` (Run API Operation, command line, front door tool),
 *   `command:<name>`, `view:<name>`, `setting:<name>`, `tool:<name>`, `scheme:<name>`, `front-door:<setting>`,
 *   `program:<name>`.
 * - `served`: what implements the server side: `operation:<id>` for the sample tenant's handler, or `path#symbol`.
 */
export interface Statement extends Readonly<Record<ReferencePart, readonly string[]>> {
  readonly text: string;
  /** The operation whose contract case must exist. */
  readonly operation?: string;
  /** True if the contract case proves the statement. Otherwise, a test must. */
  readonly isProvenByCase: boolean;
  /** Why a part is missing, or what remains open. */
  readonly open?: Readonly<Partial<Record<Part, string>>>;
}

/** The statements of one section of the API description. */
export interface FidelitySection {
  readonly number: string;
  readonly title: string;
  readonly statements: readonly Statement[];
}

type Own = Pick<Statement, ReferencePart | "open">;

/** A statement about one operation that its contract case proves, with additional references. */
export function operation(id: string, text: string, more: Partial<Own> = {}): Statement {
  return {
    text,
    operation: id,
    isProvenByCase: true,
    code: [`operation:${id}`, ...(more.code ?? [])],
    reach: [...(more.reach ?? []), `operation:${id}`],
    served: [`operation:${id}`, ...(more.served ?? [])],
    ...(more.open === undefined ? {} : { open: more.open }),
  };
}

/** A statement about one operation that its contract case alone doesn't prove. */
export function rule(id: string, text: string, more: Partial<Own> = {}): Statement {
  return { ...operation(id, text, more), isProvenByCase: false };
}

/** A statement with its own parts. */
export function statement(text: string, own: Own): Statement {
  return { ...own, text, isProvenByCase: false };
}
