import * as z from "zod/mini";
import { acceptedPath } from "../../api/accepted-path.ts";
import { listRecursively } from "../../api/content-listing.ts";
import { textOf } from "../../api/content-types.ts";
import { createItem } from "../../api/contents.ts";
import type { ContentItem } from "../../api/models/contents.ts";
import { createContent, getContent, updateContent } from "../../api/operations/contents.ts";
import { readFile } from "./content-reading.ts";
import { versionTextOf } from "./content-versions.ts";
import { writeFile } from "./content-writing.ts";
import { ownInputSchema, workspaceIdSchema } from "./input-schema.ts";
import { type Answered, type Arguments, type Reach, type Tool, ToolFault } from "./tool.ts";
import { listedTool } from "./tool-listing.ts";

const workspaceId = z.string().check(z.minLength(1), z.maxLength(200));
const path = z.string().check(z.maxLength(4000));
const pathBelowRoot = z.string().check(z.minLength(1), z.maxLength(4000));

const listing = z.strictObject({
  workspaceId,
  path: z._default(path, ""),
  recursive: z._default(z.boolean(), false),
});
const reading = z.strictObject({ workspaceId, path: pathBelowRoot });
const writing = z.strictObject({
  workspaceId,
  path: pathBelowRoot,
  content: z.string(),
  encoding: z._default(z.enum(["text", "base64"]), "text"),
  version: z.optional(z.string().check(z.minLength(1), z.maxLength(300))),
});
const creating = z.strictObject({ workspaceId, path: pathBelowRoot });

interface OwnTool<Shape extends z.ZodMiniType> {
  readonly name: string;
  readonly summary: string;
  readonly remarks: readonly string[];
  readonly shape: Shape;
  readonly about: Readonly<Record<string, string>>;
  readonly effect: "read" | "change";
  readonly check?: (given: z.output<Shape>) => void;
  readonly run: (given: z.output<Shape>, reach: Reach) => Promise<Answered>;
}

/** Tools for a workspace's files where the operations alone would lose the version rule or the bytes. */
export function contentTools(): readonly Tool[] {
  return [list, read, write, createDirectory];
}

const list = ownTool({
  name: "contents_list",
  summary: "List a directory of a workspace, or everything below it",
  remarks: ["Hidden files and checkpoints are left out of a recursive listing."],
  shape: listing,
  about: { path: "From the workspace root, without a slash in front; empty for the root itself." },
  effect: "read",
  check: (given) => accepted(given.path, getContent.id, "Cannot list"),
  run: async ({ workspaceId: id, path: given, recursive }, { content, signal }) => {
    const contentPath = accepted(given, getContent.id, "Cannot list");
    const options = recursive ? {} : { excludeHidden: false, skip: [] };
    const [start, ...items] = await listRecursively(await content(id), {
      ...options,
      contentPath,
      isRecursive: recursive,
      signal,
    });
    if (start?.type !== "directory") {
      throw new ToolFault("arguments", `${contentPath} is no directory: read it with contents_read.`);
    }
    return whole({ path: contentPath, items: items.map(entryOf) });
  },
});

const read = ownTool({
  name: "contents_read",
  summary: "Read a file or notebook of a workspace with its version",
  remarks: [
    "Gives text as it is, a notebook as its JSON text, anything else as base64. To write it, give the version back.",
  ],
  shape: reading,
  about: { path: "From the workspace root, as contents_list gives it." },
  effect: "read",
  check: (given) => accepted(given.path, getContent.id, "Cannot read"),
  run: async ({ workspaceId: id, path: given }, { content, signal }) => {
    const contentPath = accepted(given, getContent.id, "Cannot read");
    const { item, bytes } = await readFile(await content(id), contentPath, signal);
    const text = textOf(bytes);
    return {
      ...whole({
        ...entryOf(item),
        path: contentPath,
        version: versionTextOf(item),
        encoding: text === undefined ? "base64" : "text",
        content: text ?? Buffer.from(bytes).toString("base64"),
      }),
      longMember: "content",
    };
  },
});

const write = ownTool({
  name: "contents_write",
  summary: "Write the whole content of a file or notebook",
  remarks: [
    "A file that is there is replaced only with the version that contents_read gave for it: when somebody changed it since, nothing is written. Without a version a new file is made.",
  ],
  shape: writing,
  about: {
    path: "From the workspace root. Its directory has to be there.",
    content: "The whole content; a notebook as its JSON text.",
    version: "The version that contents_read or contents_write gave; left out for a new file.",
  },
  effect: "change",
  check: (given) => {
    accepted(given.path, updateContent.id, "Cannot save");
    bytesFrom(given);
  },
  run: async (given, { content, signal }) => {
    const contentPath = accepted(given.path, updateContent.id, "Cannot save");
    const client = await content(given.workspaceId);
    const written = await writeFile(client, given.workspaceId, contentPath, bytesFrom(given), given.version, signal);
    const { item, ...rest } = written;
    return whole({ ...entryOf(item), ...rest });
  },
});

const createDirectory = ownTool({
  name: "contents_create_directory",
  summary: "Make a directory in a workspace",
  remarks: ["The directory above it has to be there. One that is there already is left as it is, with an error."],
  shape: creating,
  about: { path: "From the workspace root." },
  effect: "change",
  check: (given) => accepted(given.path, createContent.id, "Cannot create"),
  run: async ({ workspaceId: id, path: given }, { content, signal }) => {
    const contentPath = accepted(given, createContent.id, "Cannot create");
    const { item } = await createItem(await content(id), contentPath, undefined, { type: "directory", signal });
    return whole({ ...entryOf(item), path: contentPath });
  },
});

function ownTool<Shape extends z.ZodMiniType>(own: OwnTool<Shape>): Tool {
  const { name, summary, remarks, shape, about, effect } = own;
  const schema = ownInputSchema(shape, effect === "read");
  const described = Object.entries(schema.properties).map(([member, inner]) => {
    const description = about[member];
    const full = member === "workspaceId" ? workspaceIdSchema : inner;
    return [member, description === undefined || typeof full !== "object" ? full : { ...full, description }];
  });
  const parsed = (given: Arguments): z.output<Shape> => {
    const { cursor: _, ...rest } = given;
    const result = z.safeParse(shape, rest);
    if (!result.success) {
      const [issue] = result.error.issues;
      const member = issue?.path.map(String).join(".") || "arguments";
      throw new ToolFault("arguments", `${name}: ${member}: ${issue?.message || "it is not of a form that it takes"}.`);
    }
    return result.data;
  };
  return {
    listed: listedTool({
      ...{ name, summary, remarks, effect, isIdempotent: effect === "read" },
      inputSchema: { ...schema, properties: Object.fromEntries(described) },
    }),
    toolset: "contents",
    effect,
    check: (given) => own.check?.(parsed(given)),
    run: (given, _, reach) => own.run(parsed(given), reach),
  };
}

function accepted(given: string, operationId: string, failure: string): string {
  return acceptedPath(given, "path", `${failure} ${given}`, operationId);
}

/** The bytes to write. A content server takes bad base64 without a word, and truncates the file: it is refused here. */
function bytesFrom({ path: where, content, encoding }: z.output<typeof writing>): Uint8Array {
  if (encoding === "text") {
    if (!content.isWellFormed()) {
      throw new ToolFault("arguments", `Cannot save ${where}: content: it has a half of a character in it.`);
    }
    return new TextEncoder().encode(content);
  }
  const compact = content.replace(/\s+/g, "");
  if (!/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(compact)) {
    throw new ToolFault("arguments", `Cannot save ${where}: content: it is no base64.`);
  }
  return Buffer.from(compact, "base64");
}

/** What a listing says of an item: its content is read by itself. */
function entryOf({ name, path: where, type, size, last_modified, writable, mimetype }: ContentItem) {
  return { name, path: where, type, size, lastModified: last_modified, writable, mimetype };
}

function whole(value: unknown): Answered {
  return { value, facts: { limit: undefined, total: undefined }, isContent: true };
}
