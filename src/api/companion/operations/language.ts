import * as z from "zod/mini";
import { defineCompanionOperation } from "../operation.ts";

const count = z.int().check(z.nonnegative());
const name = z.string().check(z.maxLength(1000));
const path = z.string().check(z.maxLength(4096));
const documentation = z.string().check(z.maxLength(20_000));
const signature = z.string().check(z.maxLength(4000));

/**
 * The text of a document as the editor has it. Cells of a notebook are one script, in this order; a script or a library's
 * source has one.
 */
const document = z.object({
  kind: z.enum(["script", "notebook", "library"]),
  /** Content path. For a library, the path on the server. */
  path,
  cells: z.array(z.string()),
});
/** All positions start at 0 and count UTF-16 units. */
const position = z.object({ cell: count, line: count, character: count });
const at = { document, position };

/** Maximum number of unsaved texts, and of their characters together. */
export const maxUnsavedTexts = 50;
export const maxUnsavedCharacters = 2_000_000;
/** Texts of other documents that count instead of their files. */
const unsaved = z.optional(z.array(z.object({ path, text: z.string() })).check(z.maxLength(maxUnsavedTexts)));

const range = z.object({ startLine: count, startCharacter: count, endLine: count, endCharacter: count });
export type LanguageRange = z.output<typeof range>;
const place = { cell: count, range };

/** Lists in which every request is bounded in Python, too. */
const signatures = z.array(signature).check(z.maxLength(20));
const location = z.object({
  /** In the document itself, in another file of the workspace, or in a file outside. */
  kind: z.enum(["document", "workspace", "library"]),
  /** Content path in the workspace, or path on the server for a library. */
  path,
  ...place,
});
export type LanguageLocation = z.output<typeof location>;
const locations = z.array(location).check(z.maxLength(5000));

/** Completes names, keys, and paths. All operations fail with `invalid`, `missing` (without jedi), or `cancelled`. */
export const completeNames = defineCompanionOperation({
  name: "language.complete",
  parameters: z.object(at),
  result: z.object({
    items: z.array(z.object({ name, type: z.string().check(z.maxLength(50)) })).check(z.maxLength(2000)),
    /** Number of UTF-16 units before the position that an item replaces. */
    replaced: count,
    isComplete: z.boolean(),
    /** What was completed: code, paths in a string, other text in a string, or nothing. */
    kind: z.enum(["names", "paths", "string", "none"]),
  }),
  push: z.never(),
});

/** Describes an item of a completion at the same position. */
export const describeName = defineCompanionOperation({
  name: "language.describe",
  parameters: z.object({ ...at, name }),
  result: z.object({ signatures, documentation }),
  push: z.never(),
});

/** The signatures of the call around a position. */
export const callSignatures = defineCompanionOperation({
  name: "language.signatures",
  parameters: z.object(at),
  result: z.object({
    signatures: z
      .array(
        z.object({
          label: signature,
          /** Offsets in the label. */
          parameters: z.array(z.object({ start: count, end: count })).check(z.maxLength(200)),
          active: z.nullable(count),
          documentation,
        }),
      )
      .check(z.maxLength(20)),
  }),
  push: z.never(),
});

/** Describes the name at a position. */
export const hoverName = defineCompanionOperation({
  name: "language.hover",
  parameters: z.object(at),
  result: z.object({ signatures, documentation }),
  push: z.never(),
});

/** Where the name at a position is defined. */
export const findDefinition = defineCompanionOperation({
  name: "language.definition",
  parameters: z.object({ ...at, unsaved }),
  result: z.object({ locations }),
  push: z.never(),
});

/** Where the name at a position is used, with its definition. */
export const findReferences = defineCompanionOperation({
  name: "language.references",
  parameters: z.object({ ...at, unsaved }),
  result: z.object({ locations }),
  push: z.never(),
});

/**
 * The places of a name that is renamed. Without a new name, only checks that it can be. Fails with `noName`, `library`,
 * `module`, `invalidName`.
 */
export const renameName = defineCompanionOperation({
  name: "language.rename",
  parameters: z.object({ ...at, newName: z.optional(name), unsaved }),
  result: z.object({
    name,
    place: z.object(place),
    locations,
    /** False if there are so many files that not all of them were searched. */
    isComplete: z.boolean(),
    /** Whether the name is known only in a function of the document. */
    isLocal: z.boolean(),
    /** Content paths of some other notebooks that use the name, and that aren't among the locations. */
    notebooks: z.array(path).check(z.maxLength(5)),
  }),
  push: z.never(),
});

/** The classes, functions, and variables of a document, in their order. */
export const listOutline = defineCompanionOperation({
  name: "language.outline",
  parameters: z.object({ document }),
  result: z.object({
    symbols: z
      .array(
        z.object({
          name,
          type: z.enum(["class", "function", "statement"]),
          /** Whether it is directly in a class. */
          isMember: z.boolean(),
          /** Index of the symbol that contains it. */
          parent: z.nullable(count),
          ...place,
          /** The name itself. */
          selection: range,
        }),
      )
      .check(z.maxLength(5000)),
  }),
  push: z.never(),
});
export type OutlineSymbol = z.output<typeof listOutline.result>["symbols"][number];

/** The syntax errors of a document. Without any, what ruff finds, if the workspace has it. */
export const checkSource = defineCompanionOperation({
  name: "language.check",
  parameters: z.object({ document, lints: z.boolean() }),
  result: z.object({
    problems: z
      .array(
        z.object({
          ...place,
          message: name,
          /** For example, `F401`. Empty without one. */
          code: z.string().check(z.maxLength(50)),
          severity: z.enum(["error", "warning"]),
          source: z.enum(["Python", "Ruff"]),
        }),
      )
      .check(z.maxLength(1000)),
  }),
  push: z.never(),
});

/** Formats a text with ruff or black. Fails with `missing` without either, and with `failed` if they can't format it. */
export const formatSource = defineCompanionOperation({
  name: "language.format",
  parameters: z.object({ document }),
  result: z.object({ text: z.string().check(z.maxLength(8_000_000)), tool: z.enum(["ruff", "black"]) }),
  push: z.never(),
});

/** The text of a library's source. Fails with `refused` for other files, and with `noFile`. */
export const readLibrarySource = defineCompanionOperation({
  name: "language.source",
  parameters: z.object({ path }),
  result: z.object({ text: z.string().check(z.maxLength(8_000_000)) }),
  push: z.never(),
});

/** Infers in the background what a document imports and assigns, so that its first completion is quick. */
export const prepareDocument = defineCompanionOperation({
  name: "language.prepare",
  parameters: z.object({ document }),
  result: z.object({ prepared: count }),
  push: z.never(),
});
