import * as z from "zod/mini";

const uri = z.string().check(z.minLength(1), z.maxLength(8000));
const names = z.array(z.string().check(z.minLength(1), z.maxLength(200))).check(z.maxLength(100));
const index = z.int().check(z.minimum(0));

/** The inputs of each tool. */
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
  /** Descriptions by the path of a member, for example `edits.index`. */
  readonly members: Readonly<Record<string, string>>;
}

const texts: Readonly<Record<ToolName, ToolText>> = {
  platform_find_files: {
    displayName: "Find Workspace Files",
    reference: "platformFiles",
    icon: "$(search)",
    userDescription: "Finds files of the platform's notebook workspaces by name",
    modelDescription:
      "Finds remote files and notebooks of the data platform's workspaces by part of their path. Without a workspace, searches the workspaces that are open as folders or selected. Returns each file's URI for the other platform tools.",
    members: {
      query: "Part of the file's path. Case does not matter.",
      workspace: "Name or id of one workspace.",
      folder: "Path of the folder to search, relative to the workspace root. Defaults to the whole workspace.",
      ignoreFolders: "Names of folders to skip, with everything in them.",
      fileTypes: "Extensions of the files to find, such as .py. Defaults to all files.",
      recursive: "False to skip subfolders.",
      hidden: "True to include names that start with a dot.",
    },
  },
  platform_open_file: {
    displayName: "Open Workspace File",
    reference: "platformOpen",
    icon: "$(go-to-file)",
    userDescription: "Opens a file of the platform's notebook workspaces in the editor",
    modelDescription:
      "Opens a remote file or notebook in the user's editor, by the URI that platform_find_files returned.",
    members: { uri: "The URI that platform_find_files returned." },
  },
  platform_read_notebook: {
    displayName: "Read Notebook Cells",
    reference: "platformNotebook",
    icon: "$(notebook)",
    userDescription: "Reads the cells of a remote notebook, including unsaved changes",
    modelDescription:
      "Reads the cells of a remote notebook as shown in the user's editor, with unsaved changes: index, kind, language, source, and the beginning of the text output. Returns the version that platform_edit_notebook requires.",
    members: {
      uri: "The URI that platform_find_files returned. Defaults to the notebook in the active editor.",
      from: "Index of the first cell to read.",
      count: "How many cells to read.",
    },
  },
  platform_edit_notebook: {
    displayName: "Edit Notebook Cells",
    reference: "platformEditNotebook",
    icon: "$(edit)",
    userDescription:
      "Edits cells of a remote notebook in the editor after you have seen all changes, so that you can undo them",
    modelDescription:
      "Replaces, inserts, and deletes cells of a remote notebook in the user's editor. The user sees all of the change first. The notebook is saved only if Auto Save is on, which the result says; otherwise the user saves or undoes it. At most 20,000 characters of changed lines at once. Requires the version that platform_read_notebook returned, and changes nothing if the notebook has changed since. All indexes refer to that version.",
    members: {
      uri: "The URI that platform_find_files returned.",
      version: "The version that platform_read_notebook returned.",
      edits: "The edits, with the indexes of the cells as they were read.",
    },
  },
  platform_run_cells: {
    displayName: "Run Notebook Cells",
    reference: "platformRunCells",
    icon: "$(run)",
    userDescription: "Runs cells of a remote notebook on its kernel, after showing you their code",
    modelDescription:
      "Runs code cells of a remote notebook on the kernel of its workspace, and returns their outputs, each truncated to a maximum length. The user sees the code and confirms first. Requires the version that platform_read_notebook returned, and runs nothing if the notebook has changed since. Cells after one that fails are not run. Cells that still run after the time limit keep running.",
    members: {
      uri: "The URI that platform_find_files returned.",
      version: "The version that platform_read_notebook returned.",
      from: "Index of the first cell to run.",
      count: "How many cells to run. Defaults to 1.",
      seconds: "How many seconds to wait for the cells to finish. Defaults to 60.",
    },
  },
  platform_list_selection: {
    displayName: "List Selection",
    reference: "platformSelection",
    icon: "$(list-selection)",
    userDescription:
      "Lists the selected rows of the Platform views, and the open workspace files with their selections",
    modelDescription:
      "Lists what the user has selected on the data platform: rows of the Platform views, and open remote files, the active one with its selected text or cells.",
    members: {},
  },
};

/** Prefix of the keys of the tools' texts in package.nls.json. */
export const toolKey = "languageModelTool.";

/**
 * The content of package.json's `contributes.languageModelTools`, and the texts for package.nls.json. Texts for users
 * are localized; texts for models are not.
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
