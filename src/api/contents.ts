import * as z from "zod/mini";
import { acceptedPath } from "./accepted-path.ts";
import type { CallOptions, Client } from "./client.ts";
import { inferType, updateBodyFor } from "./content-types.ts";
import { causeOf, type FailureCause, hasStatus, isOfUnknownOutcome, PlatformError } from "./errors.ts";
import type { ContentItem, ContentType } from "./models/contents.ts";
import { contentItem } from "./models/contents.ts";
import { createContent, deleteContent, getContent, renameContent, updateContent } from "./operations/contents.ts";
import { parentOf } from "./paths.ts";

export type ContentClient = Client<"notebook">;

const children = z.array(contentItem);

/** A directory's children; throws when the item is no directory that was read with its children. */
export function childrenOf(item: ContentItem): readonly ContentItem[] {
  const parsed = z.safeParse(children, item.content);
  if (item.type !== "directory" || !parsed.success) {
    throw new PlatformError({
      kind: "retrieval",
      cause: { type: "unexpectedAnswer", fields: ["content"] },
      failure: `Cannot list ${item.path || "the workspace root"}`,
      entity: item.path,
      operationId: getContent.id,
      reason: item.type === "directory" ? "the server's answer lacks its children" : "it is no directory",
    });
  }
  return parsed.data;
}

export interface CreateOptions extends CallOptions {
  /** Replaces the type that the path's extension tells. */
  readonly type?: ContentType;
}

/**
 * The create flow (API description, 4.2): POST to the parent, PATCH to the desired path, PUT the content where there is
 * any. Gives the POST result overlaid with the PATCH result. The rename never replaces an item: when the path is taken
 * it fails with 409. What a failed flow leaves behind is removed, or named in the error.
 */
export async function createItem(
  client: ContentClient,
  path: string,
  content: Uint8Array | undefined,
  options: CreateOptions = {},
): Promise<{ readonly item: ContentItem; readonly written: ContentItem | undefined }> {
  const target = acceptedPath(path, "path", `Cannot create ${path}`, createContent.id);
  if (target === "") {
    throw createRefused(path, { type: "input", field: "path" }, "path: the workspace root is there already");
  }
  if (options.signal?.aborted === true) {
    throw createRefused(target, { type: "cancelled" }, "it was cancelled");
  }
  const inferred = inferType(target).type;
  const type = options.type ?? (inferred === "directory" && content !== undefined ? "file" : inferred);
  const parent = parentOf(target);
  const bytes = type === "directory" || content === undefined || content.byteLength === 0 ? undefined : content;
  const body = bytes === undefined ? undefined : updateBodyFor(target, bytes);
  // These two go without the caller's signal: cut off half-way, nobody would know what they made.
  const created = await telling(
    target,
    type,
    () =>
      client.call(createContent, {
        parentPath: parent,
        body: { type: body?.type === "file" ? "file" : type, path: parent },
      }),
    `An untitled item may have been left in ${parent || "the workspace root"}.`,
  );
  const renamed = await cleaning(
    client,
    created.path,
    () => telling(target, type, () => client.call(renameContent, { oldPath: created.path, body: { path: target } })),
    target,
  );
  const item = { ...created, ...renamed };
  if (body === undefined) {
    return { item, written: undefined };
  }
  const written = await cleaning(client, target, () => client.call(updateContent, { path: target, body }, options));
  return { item, written };
}

/** Errors of the POST and rename steps speak of the item that was wanted, with the word of section 7. */
async function telling<T>(path: string, type: ContentType, step: () => Promise<T>, remark = ""): Promise<T> {
  try {
    return await step();
  } catch (error) {
    if (!(error instanceof PlatformError) || error.kind === "request") {
      throw error;
    }
    const told = new PlatformError({
      kind: "crud",
      cause: error.failureCause,
      failure: `Cannot create ${path}`,
      entity: path,
      operationId: error.operationId,
      operationWord: type === "directory" ? "create_folder" : "create",
      reason: error.reason,
      ...(error.response === undefined ? {} : { response: error.response }),
      ...(error.serverMessage === undefined ? {} : { serverMessage: error.serverMessage }),
      ...(error.traceId === undefined ? {} : { traceId: error.traceId }),
      ...(error.remedy === undefined ? {} : { remedy: error.remedy }),
    });
    throw remark !== "" && isOfUnknownOutcome(error) ? told.withRemark(remark) : told;
  }
}

function createRefused(path: string, cause: FailureCause, reason: string): PlatformError {
  return new PlatformError({
    kind: "request",
    cause,
    failure: `Cannot create ${path || "the workspace root"}`,
    entity: path,
    operationId: createContent.id,
    reason,
  });
}

/** Removes the leftover of a failed step; `elsewhere` is where a step of unknown outcome may have moved it. */
async function cleaning<T>(
  client: ContentClient,
  leftover: string,
  step: () => Promise<T>,
  elsewhere?: string,
): Promise<T> {
  try {
    return await step();
  } catch (error) {
    try {
      // Without the caller's signal: a cancelled create must not leave its untitled file behind.
      await client.call(deleteContent, { path: leftover });
    } catch (cleaningError) {
      const isGone = hasStatus(cleaningError, 404);
      if (!isGone && error instanceof PlatformError) {
        throw error.withRemark(`${leftover} was left behind on the server and could not be removed.`);
      }
      if (isGone && elsewhere !== undefined && error instanceof PlatformError && isOfUnknownOutcome(error)) {
        throw error.withRemark(`The server may have made ${elsewhere} all the same.`);
      }
    }
    throw error;
  }
}

/**
 * Copies a file to exactly this path with one request where the server can. Undefined when it cannot: nothing was made
 * then, or what was made is gone again.
 */
export async function copyFileOnServer(
  client: ContentClient,
  source: string,
  target: string,
  options: CallOptions = {},
): Promise<ContentItem | undefined> {
  try {
    const copied = await client.call(createContent, { parentPath: target, body: { copy_from: source } }, options);
    return await movedTo(client, copied, target, options);
  } catch (error) {
    return refusedAsUnknown(error);
  }
}

/** The same for a folder: its copy lands below the target's parent and is renamed where its name differs. */
export async function copyFolderOnServer(
  client: ContentClient,
  source: string,
  target: string,
  options: CallOptions = {},
): Promise<ContentItem | undefined> {
  try {
    const copied = await client.call(
      createContent,
      { parentPath: parentOf(target), body: { copy_from: source } },
      options,
    );
    return await movedTo(client, copied, target, options);
  } catch (error) {
    return refusedAsUnknown(error);
  }
}

async function movedTo(
  client: ContentClient,
  copied: ContentItem,
  target: string,
  options: CallOptions,
): Promise<ContentItem> {
  if (copied.path === target) {
    return copied;
  }
  return cleaning(client, copied.path, () =>
    client.call(renameContent, { oldPath: copied.path, body: { path: target } }, options),
  );
}

/** Statuses with which servers that know no `copy_from` answer. */
function refusedAsUnknown(error: unknown): undefined {
  const cause = causeOf(error);
  if (cause?.type === "status" && [400, 404, 405, 500, 501].includes(cause.status)) {
    return undefined;
  }
  throw error;
}
