import * as z from "zod/mini";
import { blankEnd, type LiteralType, literalAt } from "./python-literal.ts";
import { endOfLine, statementAt } from "./python-statement.ts";

/** The tag of the cell with the default values, as papermill reads it. */
export const parametersTag = "parameters";

/** The program that runs the notebook accepts no more. */
const maxParameters = 200;
const maxCells = 10_000;

/** A parameter of a notebook. */
export interface Parameter {
  readonly name: string;
  /** What the cell assigns: a literal, or an expression. */
  readonly value: string;
  /** Undefined for an expression, whose type isn't known. */
  readonly type: LiteralType | undefined;
  /** The comment behind the value. */
  readonly description: string | undefined;
}

/** What a run needs to know about a notebook. */
export interface RunnableNotebook {
  /** Undefined if no cell has the tag. */
  readonly parameters: readonly Parameter[] | undefined;
  /** True if a cell can be tagged: one with code. */
  readonly hasCode: boolean;
  /** The name of its kernel spec, if it has one. */
  readonly kernel: string | undefined;
  readonly language: string;
}

const text = z.union([z.string(), z.array(z.string())]);
const shape = z.looseObject({
  nbformat: z.literal(4),
  metadata: z.looseObject({
    kernelspec: z.nullish(z.looseObject({ name: z.nullish(z.string()), language: z.nullish(z.string()) })),
    language_info: z.nullish(z.looseObject({ name: z.nullish(z.string()) })),
  }),
  cells: z
    .array(
      z.looseObject({
        cell_type: z.string(),
        source: text,
        metadata: z.optional(z.looseObject({ tags: z.optional(z.unknown()) })),
      }),
    )
    .check(z.maxLength(maxCells)),
});

/** Reads the parameters and the kernel of a notebook. Undefined for anything but a notebook of format 4. */
export function readNotebook(content: unknown): RunnableNotebook | undefined {
  const { data } = z.safeParse(shape, content);
  if (data === undefined) {
    return undefined;
  }
  const { kernelspec, language_info: languageInfo } = data.metadata;
  const cell = data.cells.find(({ cell_type: type, metadata }) => {
    const tags = metadata?.tags;
    return type === "code" && Array.isArray(tags) && tags.includes(parametersTag);
  });
  const source = typeof cell?.source === "string" ? cell.source : cell?.source.join("");
  return {
    hasCode: data.cells.some(
      ({ cell_type: type, source: lines }) => type === "code" && [lines].flat().some((line) => line.trim() !== ""),
    ),
    parameters: source === undefined ? undefined : parametersOf(source),
    kernel: kernelspec?.name ?? undefined,
    language: (languageInfo?.name ?? kernelspec?.language ?? "python").toLowerCase(),
  };
}

const assignment = /^([\p{XID_Start}_]\p{XID_Continue}*)[ \t]*(?::[^=\n]*)?=(?!=)[ \t]*/u;

/**
 * The assignments of a cell that are not indented, in their order. The last one of a name counts. What looks like one in
 * a string or in brackets is none.
 */
export function parametersOf(source: string): readonly Parameter[] {
  const found = new Map<string, Parameter>();
  for (let at = 0; at < source.length && found.size < maxParameters; ) {
    const { end, codeEnd } = statementAt(source, at);
    const [matched, name] = assignment.exec(source.slice(at, endOfLine(source, at))) ?? [];
    if (matched !== undefined && name !== undefined) {
      const start = at + matched.length;
      const literal = literalAt(source, start);
      const isLiteral = literal !== undefined && blankEnd(source, literal.end) >= end;
      const comment = source.slice(codeEnd, end).replace(/^#+/, "").trim();
      found.set(name, {
        name,
        value: isLiteral ? source.slice(start, literal.end) : source.slice(start, codeEnd).trim(),
        type: isLiteral ? literal.type : undefined,
        description: comment === "" ? undefined : comment,
      });
    }
    at = end + 1;
  }
  return [...found.values()];
}

/** True for a value that several lines make up, which an input box can't show. */
export function isMultiline(value: string): boolean {
  return value.includes("\n") && blankEnd(value, 0) < value.length;
}
