import * as z from "zod/mini";

const uri = z.string().check(z.minLength(1), z.maxLength(8000));
const names = z.array(z.string().check(z.minLength(1), z.maxLength(200))).check(z.maxLength(100));
const index = z.int().check(z.minimum(0));

/** What each tool takes. */
export const toolInputs = {
  platform_find_files: z.strictObject({
    query: z.string().check(z.minLength(1), z.maxLength(200)),
    workspace: z.optional(z.string().check(z.minLength(1), z.maxLength(200))),
    folder: z.optional(z.string().check(z.maxLength(4000))),
    ignoreFolders: z.optional(names),
    fileTypes: z.optional(names),
    recursive: z.optional(z.boolean()),
    hidden: z.optional(z.boolean()),
  }),
  platform_open_file: z.strictObject({ uri }),
  platform_read_notebook: z.strictObject({
    uri: z.optional(uri),
    from: z.optional(index),
    count: z.optional(z.int().check(z.minimum(1), z.maximum(200))),
  }),
  platform_edit_notebook: z.strictObject({
    uri,
    version: z.string().check(z.minLength(1), z.maxLength(100)),
    edits: z
      .array(
        z.union([
          z.strictObject({ action: z.literal("replace"), index, source: z.string() }),
          z.strictObject({
            action: z.literal("insert"),
            index,
            kind: z.enum(["code", "markdown"]),
            source: z.string(),
            language: z.optional(z.string().check(z.minLength(1), z.maxLength(50))),
          }),
          z.strictObject({ action: z.literal("delete"), index }),
        ]),
      )
      .check(z.minLength(1), z.maxLength(100)),
  }),
  platform_run_cells: z.strictObject({
    uri,
    version: z.string().check(z.minLength(1), z.maxLength(100)),
    from: index,
    count: z.optional(z.int().check(z.minimum(1), z.maximum(50))),
    seconds: z.optional(z.int().check(z.minimum(1), z.maximum(600))),
  }),
  platform_list_selection: z.strictObject({}),
} as const;

export type ToolName = keyof typeof toolInputs;
export type ToolInput<Name extends ToolName> = z.output<(typeof toolInputs)[Name]>;

interface ToolText {
  readonly displayName: string;
  readonly reference: string;
  readonly icon: string;
  readonly userDescription: string;
  readonly modelDescription: string;
  /** By the path of a member, as `edits.index`. */
  readonly members: Readonly<Record<string, string>>;
}

const texts: Readonly<Record<ToolName, ToolText>> = {
  platform_find_files: {
    displayName: "Find Workspace Files",
    reference: "platformFiles",
    icon: "$(search)",
    userDescription: "Finds files of the platform's notebook workspaces by name",
    modelDescription:
      "Finds remote files and notebooks of the data platform's workspaces by a part of their path. Without a workspace it looks in those that are open as folders or selected. Gives each file's uri for the other platform tools.",
    members: {
      query: "A part of the file's path, upper and lower case alike.",
      workspace: "Name or id of one workspace.",
      folder: "Path of the folder to look in, from the workspace root; the whole workspace without it.",
      ignoreFolders: "Names of folders to leave out, with everything below them.",
      fileTypes: "Extensions of the files to find, as .py; all without it.",
      recursive: "False to leave out what is in subfolders.",
      hidden: "True to look at names that start with a dot too.",
    },
  },
  platform_open_file: {
    displayName: "Open Workspace File",
    reference: "platformOpen",
    icon: "$(go-to-file)",
    userDescription: "Opens a file of the platform's notebook workspaces in the editor",
    modelDescription:
      "Opens a remote file or notebook in the person's editor, by the uri that platform_find_files gave.",
    members: { uri: "As platform_find_files gives it." },
  },
  platform_read_notebook: {
    displayName: "Read Notebook Cells",
    reference: "platformNotebook",
    icon: "$(notebook)",
    userDescription: "Reads the cells of a remote notebook, unsaved changes included",
    modelDescription:
      "Reads the cells of a remote notebook as the person's editor has it, unsaved changes included: index, kind, language, source and the beginning of the text output. Gives the version that platform_edit_notebook wants.",
    members: {
      uri: "As platform_find_files gives it; the notebook in the active editor when left out.",
      from: "Index of the first cell to read.",
      count: "How many cells to read.",
    },
  },
  platform_edit_notebook: {
    displayName: "Edit Notebook Cells",
    reference: "platformEditNotebook",
    icon: "$(edit)",
    userDescription: "Changes cells of a remote notebook in the editor, unsaved, so that it can be undone",
    modelDescription:
      "Replaces, inserts and deletes cells of a remote notebook in the person's editor. The notebook is not saved: the person looks at the change, and saves or undoes it. It needs the version that platform_read_notebook gave, and changes nothing when the notebook has changed since. All indexes are those of that version.",
    members: {
      uri: "As platform_find_files gives it.",
      version: "The version that platform_read_notebook gave.",
      edits: "What to do, with the indexes of the cells as they were read.",
    },
  },
  platform_run_cells: {
    displayName: "Run Notebook Cells",
    reference: "platformRunCells",
    icon: "$(run)",
    userDescription: "Runs cells of a remote notebook on its kernel, after showing you their code",
    modelDescription:
      "Runs code cells of a remote notebook on the kernel of its workspace, and gives their outputs, each cut to a bounded length. The person sees the code and confirms first. It needs the version that platform_read_notebook gave, and runs nothing when the notebook has changed since. Cells behind one that fails are not run. Cells that still run after the time limit go on running.",
    members: {
      uri: "As platform_find_files gives it.",
      version: "The version that platform_read_notebook gave.",
      from: "Index of the first cell to run.",
      count: "How many cells to run; 1 when left out.",
      seconds: "How long to wait for the cells to end; 60 when left out.",
    },
  },
  platform_list_selection: {
    displayName: "List What Is Selected",
    reference: "platformSelection",
    icon: "$(list-selection)",
    userDescription:
      "Lists the selected rows of the Platform views and the open workspace files with what is selected in them",
    modelDescription:
      "Lists what the person has selected on the data platform: rows of the Platform views, open remote files, the active one with its selected text or cells.",
    members: {},
  },
};

/** What the keys of the tools' words in package.nls.json begin with. */
export const toolKey = "languageModelTool.";

/**
 * What the declarations make of package.json's `contributes.languageModelTools`, and of package.nls.json: what people read
 * stands there, what models read stays as it is.
 */
export function languageModelContributions(): {
  readonly tools: readonly object[];
  readonly texts: Readonly<Record<string, string>>;
} {
  const words = Object.entries(texts).flatMap(([name, { displayName, userDescription }]) => [
    [`${toolKey}${name}.displayName`, displayName],
    [`${toolKey}${name}.userDescription`, userDescription],
  ]);
  return { tools: toolContributions(), texts: Object.fromEntries(words) };
}

function toolContributions(): readonly object[] {
  return Object.entries(texts).map(([name, text]) => ({
    name,
    displayName: `%${toolKey}${name}.displayName%`,
    toolReferenceName: text.reference,
    canBeReferencedInPrompt: true,
    icon: text.icon,
    tags: ["platform-workbench"],
    userDescription: `%${toolKey}${name}.userDescription%`,
    modelDescription: text.modelDescription,
    inputSchema: inputSchema(name, text),
  }));
}

function inputSchema(name: string, { members }: ToolText): object {
  const [, shape] = Object.entries(toolInputs).find(([one]) => one === name) ?? [];
  const { $schema: _, ...schema } = z.toJSONSchema(shape ?? z.strictObject({}), {
    target: "draft-7",
    override: ({ jsonSchema }) => {
      if (Math.abs(Number(jsonSchema.maximum)) === Number.MAX_SAFE_INTEGER) {
        delete jsonSchema.maximum;
      }
      if (Math.abs(Number(jsonSchema.minimum)) === Number.MAX_SAFE_INTEGER) {
        delete jsonSchema.minimum;
      }
    },
  });
  const properties = Object.entries(schema.properties ?? {}).map(([member, inner]) => [
    member,
    { ...(typeof inner === "object" ? inner : {}), description: members[member] },
  ]);
  return { ...schema, properties: Object.fromEntries(properties) };
}
