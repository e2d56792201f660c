import * as z from "zod/mini";
import { isContentPath, normalizeContentPath } from "../content-path.ts";

/**
 * A content item (API description, 2.1). `size` is in bytes, times are ISO 8601 UTC. `content` is null in a response
 * without content, the children of a directory, or the notebook or text of a file. Binary files have the format
 * `base64`.
 */
export const contentItem = z.looseObject({
  name: z.string(),
  path: z.string(),
  type: z.string(),
  last_modified: z.nullish(z.string()),
  created: z.nullish(z.string()),
  content: z.optional(z.unknown()),
  format: z.nullish(z.string()),
  mimetype: z.nullish(z.string()),
  size: z.nullish(z.number()),
  writable: z.nullish(z.boolean()),
  hash: z.nullish(z.string()),
  hash_algorithm: z.nullish(z.string()),
});
export type ContentItem = z.output<typeof contentItem>;

/** A checkpoint (API description, 2.2); the time is ISO 8601 UTC. */
export const checkpoint = z.looseObject({ id: z.string(), last_modified: z.nullish(z.string()) });
export type Checkpoint = z.output<typeof checkpoint>;
export const checkpoints = z.array(checkpoint);

const contentType = z.enum(["notebook", "file", "directory"]);
export type ContentType = z.output<typeof contentType>;

/** A content path in a body. It is normalized before it is sent. */
const contentPath = z.string().check(
  z.refine(isContentPath, { error: "it isn't a path within the workspace" }),
  z.overwrite((path) => (isContentPath(path) ? normalizeContentPath(path) : path)),
);

/**
 * The Create body (API description, 2.3). `copy_from` copies an existing item on servers that support it. Other members
 * are sent unchanged.
 */
export const createBody = z.looseObject({
  type: contentType,
  path: contentPath,
  ext: z.optional(z.string()),
  copy_from: z.optional(contentPath),
});

/** The Rename body (API description, 2.3). */
export const renameBody = z.strictObject({ path: contentPath.check(z.minLength(1)) });

/** JSON that is inserted into a body without parsing, which preserves every digit of its numbers. */
export class JsonText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** A notebook in the form that the Update body requires (API description, 2.3). */
export const notebookContent = z.looseObject({
  cells: z.array(z.unknown()),
  metadata: z.record(z.string(), z.unknown()),
  nbformat: z.int(),
  nbformat_minor: z.int(),
});

const knownUpdateBody = z.union([
  z.looseObject({
    type: z.literal("notebook"),
    format: z.literal("json"),
    content: z.union([z.instanceof(JsonText), notebookContent]),
  }),
  z.looseObject({ type: z.literal("file"), format: z.enum(["text", "base64"]), content: z.string() }),
]);
export type UpdateBody = z.input<typeof knownUpdateBody>;

/**
 * The Update body (API description, 2.3). Binary files are sent as base64. A complete body in another format is sent
 * unchanged (4.2).
 */
export const updateBody = z.union([...knownUpdateBody.def.options, z.record(z.string(), z.unknown())]);
