/** The four parts that a statement of the API description must have. */
export const parts = ["code", "reach", "served", "proof"] as const;
export type Part = (typeof parts)[number];

/**
 * A binding statement of the API description, in the words of this project, with its references.
 *
 * - `code`: where it is implemented: `path#symbol`, or `operation:<id>` for an operation's declaration.
 * - `reach`: how a user can use it: `operation:<id>` (Run API Operation, command line, front door tool),
 *   `command:<name>`, `view:<name>`, `setting:<name>`, `tool:<name>`, `scheme:<name>`, `front-door:<setting>`,
 *   `program:<name>`.
 * - `served`: what implements the server side: `operation:<id>` for the sample tenant's handler, or `path#symbol`.
 * - `proof`: `path > title` of a test or of one of its cases, or `case:<operation id>` for its contract case.
 */
export interface Statement {
  readonly text: string;
  readonly code: readonly string[];
  readonly reach: readonly string[];
  readonly served: readonly string[];
  readonly proof: readonly string[];
  /** Why a part is missing, or what remains open. */
  readonly open?: Readonly<Partial<Record<Part, string>>>;
}

/** The statements of one section of the API description. */
export interface FidelitySection {
  readonly number: string;
  readonly title: string;
  readonly statements: readonly Statement[];
}

type More = Partial<Omit<Statement, "text">>;

/** A statement about one operation, with additional references. */
export function operation(id: string, text: string, more: More = {}): Statement {
  return {
    text,
    code: [`operation:${id}`, ...(more.code ?? [])],
    reach: [...(more.reach ?? []), `operation:${id}`],
    served: [`operation:${id}`, ...(more.served ?? [])],
    proof: [`case:${id}`, ...(more.proof ?? [])],
    ...(more.open === undefined ? {} : { open: more.open }),
  };
}

/** A statement with its own parts. */
export function statement(text: string, own: Omit<Statement, "text">): Statement {
  return { text, ...own };
}
