import * as z from "zod/mini";
import { acceptedPath, isNotebookPath } from "../../../api/catalogue/content-path.ts";
import type { ContentItem } from "../../../api/catalogue/models/contents.ts";
import type { AnyOperation } from "../../../api/catalogue/operation.ts";
import { createContent, getContent, updateContent } from "../../../api/catalogue/operations/contents.ts";
import type { ContentClient, RawResponse } from "../../../api/client/client.ts";
import { decodedText } from "../../../api/content-server/content-types.ts";
import { createItem } from "../../../api/content-server/contents.ts";
import { listRecursively } from "../../../api/content-server/listing.ts";
import { turnFor } from "../../../api/turns.ts";
import { readFile, versionTextOf, writeFile } from "./content-files.ts";
import { fileResult } from "./file-result.ts";
import { lacksPictures, withoutPictures } from "./notebook-pictures.ts";
import { contentLimits } from "./response-limits.ts";
import { type Tool, ToolError, type ToolResponse } from "./tool.ts";
import { type CustomTool, customTool, wholeContent } from "./tool-definition.ts";

const workspaceId = z.string().check(z.minLength(1), z.maxLength(200));
const path = z.string().check(z.maxLength(4000));
const pathBelowRoot = z.string().check(z.minLength(1), z.maxLength(4000));

const names = z.array(z.string().check(z.minLength(1), z.maxLength(200))).check(z.maxLength(100));

const listing = z.strictObject({
  workspaceId,
  path: z._default(path, ""),
  recursive: z._default(z.boolean(), true),
  ignoreFolders: z._default(names, []),
  fileTypes: z.optional(names),
  hidden: z._default(z.boolean(), false),
});
const reading = z.strictObject({
  workspaceId,
  path: pathBelowRoot,
  picture: z.optional(z.int().check(z.minimum(1), z.maximum(100_000))),
  exact: z._default(z.boolean(), false),
});
const writing = z.strictObject({
  workspaceId,
  path: pathBelowRoot,
  content: z.string(),
  encoding: z._default(z.enum(["text", "base64"]), "text"),
  version: z.optional(z.string().check(z.minLength(1), z.maxLength(300))),
});
const creating = z.strictObject({ workspaceId, path: pathBelowRoot });

/** A tool that works on the content at a path. Its errors include the path. */
interface ContentTool<Shape extends ContentShape> extends Omit<CustomTool<Shape>, "toolset" | "check" | "run"> {
  readonly operation: AnyOperation;
  /** The start of the message for an invalid path, for example "Cannot read". */
  readonly failure: string;
  readonly check?: (given: z.output<Shape>) => void;
  /** Returns the tool's result. `contentPath` is the normalized path. */
  readonly run: (given: z.output<Shape>, at: Place) => Promise<Pick<ToolResponse, "value" | "pictures">>;
  /** The member of the result that is split if it is too long. */
  readonly longMember?: string;
}

type ContentShape = z.ZodMiniType<{ readonly workspaceId: string; readonly path: string }>;

interface Place {
  readonly client: ContentClient;
  readonly contentPath: string;
  readonly signal: AbortSignal;
}

/** Tools for a workspace's files, for which the plain operations would lose the version check or the exact bytes. */
export function contentTools(): readonly Tool[] {
  return [list, read, write, createDirectory];
}

/** Maximum number of files and directories in one list. */
const maxListedItems = 20_000;

const list = contentTool({
  name: "contents_list",
  summary: "List a folder of a workspace and everything below it",
  remarks: [
    "Returns the name, path, type, size, and last change of the item at the path, and then of each item below it.",
    "Checkpoints and the outputs of scheduled runs are not listed.",
  ],
  shape: listing,
  about: {
    path: "Path from the workspace root, without a leading slash. Empty for the root itself.",
    recursive: "False to list only what is directly in the folder.",
    ignoreFolders: "Names of folders to skip, with everything in them.",
    fileTypes: "Extensions of the files to list, such as .py. Defaults to all files. Folders are always listed.",
    hidden: "True to include names that start with a dot.",
  },
  effect: "read",
  operation: getContent,
  failure: "Can't list",
  run: async ({ recursive: isRecursive, ignoreFolders, fileTypes, hidden }, { client, contentPath, signal }) => {
    let listedBytes = 0;
    let listedItems = 0;
    // A content server can list folders endlessly, and all items are kept in memory until the end.
    const checkListed = (): void => {
      if (listedBytes > contentLimits.jsonBytes || listedItems > maxListedItems) {
        throw new ToolError(
          "tooLarge",
          `${contentPath || "The workspace root"} contains too many items. Set recursive to false, and list its folders one by one.`,
        );
      }
    };
    const onResponse = ({ body }: RawResponse): void => {
      listedBytes += body.byteLength;
      checkListed();
    };
    const onItems = (items: readonly ContentItem[]): void => {
      listedItems += items.length;
      checkListed();
    };
    const filter = fileTypes === undefined ? {} : { includedFileTypes: fileTypes };
    const visible = { isRecursive, ignoreFolders, excludeHidden: !hidden };
    const options = { ...filter, ...visible, contentPath, signal, onResponse, onItems };
    const items = await listRecursively(client, options);
    return { value: { path: contentPath, items: items.map(entryOf) } };
  },
});

const read = contentTool({
  name: "contents_read",
  summary: "Read a file or notebook in a workspace, with its version",
  remarks: [
    "Returns text unchanged, a notebook as JSON text without its pictures, a picture as an image, and anything else as base64. To write the file, pass the returned version.",
  ],
  shape: reading,
  about: {
    path: "Path from the workspace root, as returned by contents_list.",
    picture: "The number of a picture in a notebook, to return that picture as an image.",
    exact: "True to return pictures as base64, also those in a notebook, which is necessary before writing it.",
  },
  effect: "read",
  operation: getContent,
  failure: "Can't read",
  longMember: "content",
  run: async ({ picture, exact }, { client, contentPath, signal }) => {
    const { item, bytes } = await readFile(client, contentPath, signal);
    await turnFor(bytes.byteLength);
    const facts = { ...entryOf(item), path: contentPath, version: versionTextOf(item) };
    const notebook = !exact && isNotebookPath(contentPath) ? decodedText(bytes) : undefined;
    if (notebook === undefined) {
      if (picture !== undefined) {
        throw new ToolError("arguments", `${contentPath}: only pictures in a notebook have numbers. Omit picture.`);
      }
      const { members, pictures } = fileResult(bytes, exact);
      return { value: { ...facts, ...members }, pictures };
    }
    const { text, pictures } = withoutPictures(notebook);
    if (picture === undefined) {
      const leftOut = pictures.length === 0 ? {} : { picturesLeftOut: pictures.length };
      return { value: { ...facts, ...leftOut, encoding: "text", content: text } };
    }
    const chosen = pictures[picture - 1];
    if (chosen === undefined) {
      throw new ToolError("arguments", `${contentPath} has ${pictures.length} pictures, and not one ${picture}.`);
    }
    return { value: { path: contentPath, picture, encoding: "picture" }, pictures: [chosen] };
  },
});

const write = contentTool({
  name: "contents_write",
  summary: "Write the complete content of a file or notebook",
  remarks: [
    "Returns the new version.",
    "Replaces an existing file only with the version that contents_read returned for it: if someone has changed the file since, nothing is written. Without a version, creates a new file.",
  ],
  shape: writing,
  about: {
    path: "Path from the workspace root. Its folder must exist.",
    content: "The complete content; a notebook as JSON text.",
    version: "The version that contents_read or contents_write returned. Omit it for a new file.",
  },
  effect: "change",
  operation: updateContent,
  failure: "Can't save",
  check: (given) => {
    const text = decodedText(bytesFrom(given));
    if (isNotebookPath(given.path) && text !== undefined && lacksPictures(text)) {
      throw new ToolError(
        "arguments",
        `Can't save ${given.path}: content: it lacks the notebook's pictures. Read it with exact: true, then write that content.`,
      );
    }
  },
  run: async (given, { client, contentPath, signal }) => {
    const { workspaceId: place, version } = given;
    const { item, ...rest } = await writeFile(client, place, contentPath, bytesFrom(given), version, signal);
    return { value: { ...entryOf(item), ...rest } };
  },
});

const createDirectory = contentTool({
  name: "contents_create_directory",
  summary: "Create a folder in a workspace",
  remarks: [
    "The parent folder must exist. If the folder already exists, it is not changed, and the tool returns an error.",
  ],
  shape: creating,
  about: { path: "Path from the workspace root." },
  effect: "change",
  operation: createContent,
  failure: "Can't create",
  run: async (_, { client, contentPath, signal }) => {
    const { item } = await createItem(client, contentPath, undefined, { type: "directory", signal });
    return { value: { ...entryOf(item), path: contentPath } };
  },
});

function contentTool<Shape extends ContentShape>(own: ContentTool<Shape>): Tool {
  const { operation, failure, check, run, longMember, ...rest } = own;
  const accepted = ({ path: given }: z.output<Shape>): string =>
    acceptedPath(given, "path", `${failure} ${given}`, operation.id);
  return customTool({
    ...rest,
    toolset: "contents",
    check: (given) => {
      accepted(given);
      check?.(given);
    },
    run: async (given, { content, signal }) => ({
      ...(await run(given, { contentPath: accepted(given), client: await content(given.workspaceId), signal })),
      ...wholeContent,
      ...(longMember === undefined ? {} : { longMember }),
    }),
  });
}

/** The bytes to write. Invalid base64 is rejected here, because content servers accept it and truncate the file. */
function bytesFrom({ path: where, content, encoding }: z.output<typeof writing>): Uint8Array {
  if (encoding === "text") {
    if (!content.isWellFormed()) {
      throw new ToolError("arguments", `Can't save ${where}: content: it contains an unpaired surrogate.`);
    }
    return new TextEncoder().encode(content);
  }
  const compact = content.replace(/\s+/g, "");
  if (!/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(compact)) {
    throw new ToolError("arguments", `Can't save ${where}: content: it is not valid base64.`);
  }
  return Buffer.from(compact, "base64");
}

/** The properties of an item, without its content. */
function entryOf({ name, path: where, type, size, last_modified, writable, mimetype }: ContentItem) {
  return { name, path: where, type, size, lastModified: last_modified, writable, mimetype };
}
