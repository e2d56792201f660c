import { acceptedPath, nameOf, parentOf } from "../catalogue/content-path.ts";
import type { ContentItem, ContentType, UpdateBody } from "../catalogue/models/contents.ts";
import { createContent, deleteContent, renameContent, updateContent } from "../catalogue/operations/contents.ts";
import type { CallOptions, ContentCaller, ContentClient } from "../client/client.ts";
import { causeOf, type FailureCause, hasStatus, mayHaveHappened, PlatformError } from "../http/errors.ts";
import { phrase, type Text } from "../phrase.ts";
import { inferType, updateBodyFor } from "./content-types.ts";
import { statContent } from "./file-content.ts";
import { itemIfWritten } from "./write-verification.ts";

export interface CreateOptions extends CallOptions {
  /** Overrides the type that the path's extension implies. */
  readonly type?: ContentType;
}

/**
 * The create flow (API description, 4.2): POST to the parent, PATCH to the desired path, and PUT the content, if any.
 * Returns the POST result overlaid with the PATCH result. The rename never replaces an item: if the path exists, it
 * fails with 409. On failure, removes what was created, or names it in the error.
 */
export async function createItem(
  client: ContentClient,
  path: string,
  content: Uint8Array | undefined,
  options: CreateOptions = {},
): Promise<{ readonly item: ContentItem; readonly written: ContentItem | undefined }> {
  const target = acceptedPath(path, "path", phrase`Can't create ${path}`, createContent.id);
  if (target === "") {
    throw invalidCreate(path, { type: "input", field: "path" }, phrase`path: the workspace root already exists`);
  }
  if (options.signal?.aborted === true) {
    throw invalidCreate(target, { type: "cancelled" }, phrase`it was canceled`);
  }
  const inferred = inferType(target).type;
  const type = options.type ?? (inferred === "directory" && content !== undefined ? "file" : inferred);
  const parent = parentOf(target);
  const bytes = type === "directory" || content === undefined || content.byteLength === 0 ? undefined : content;
  const body = bytes === undefined ? undefined : updateBodyFor(target, bytes);
  // Don't abort these two requests once they are sent, because their outcome would be unknown.
  const waiting = options.signal === undefined ? {} : { waitingSignal: options.signal };
  const created = await withCreateError(
    target,
    type,
    () =>
      client.call(
        createContent,
        { parentPath: parent, body: { type: body?.type === "file" ? "file" : type, path: parent } },
        waiting,
      ),
    phrase`An untitled item might remain in ${parent || phrase`the workspace root`}.`,
  );
  const renamed = await withCleanup(
    client,
    created.path,
    () => withCreateError(target, type, () => renameCreated(client, created.path, target)),
    target,
  );
  const item = { ...created, ...renamed };
  if (body === undefined) {
    return { item, written: undefined };
  }
  const update = (): Promise<ContentItem> => updateItem(client, target, bytes ?? new Uint8Array(), body, options);
  const written = await withCleanup(client, target, update);
  return { item, written };
}

/**
 * Writes the complete content of a file or notebook; `body` contains `bytes`. If the connection breaks and the outcome
 * is unknown, reads the server's version. If that is what was sent, the write succeeded.
 */
export async function updateItem(
  client: ContentClient,
  path: string,
  bytes: Uint8Array,
  body: UpdateBody,
  options: CallOptions = {},
): Promise<ContentItem> {
  try {
    return await client.call(updateContent, { path, body }, options);
  } catch (error) {
    if (mayHaveHappened(error)) {
      const item = await itemIfWritten(client, path, bytes);
      if (item !== undefined) {
        return item;
      }
    }
    throw error;
  }
}

/** Replaces error messages that mention the temporary name, which the user doesn't know. */
async function renameCreated(client: ContentCaller, from: string, to: string): Promise<ContentItem> {
  try {
    return await renameItem(client, from, to);
  } catch (error) {
    const namesOther = error instanceof PlatformError && error.serverMessage?.includes(nameOf(from)) === true;
    throw namesOther && causeOf(error)?.type === "status"
      ? error.with({ reason: phrase`the server doesn't accept the name (${String(error.status)})` })
      : error;
  }
}

/** Errors of the POST and rename steps name the requested item, with the word from section 7. */
async function withCreateError<T>(path: string, type: ContentType, step: () => Promise<T>, remark?: Text): Promise<T> {
  try {
    return await step();
  } catch (error) {
    if (!(error instanceof PlatformError) || error.kind === "request") {
      throw error;
    }
    const operationWord = type === "directory" ? "create_folder" : "create";
    const explained = error.with({ kind: "crud", failure: phrase`Can't create ${path}`, entity: path, operationWord });
    throw remark !== undefined && mayHaveHappened(error) ? explained.withRemark(remark) : explained;
  }
}

function invalidCreate(path: string, cause: FailureCause, reason: Text): PlatformError {
  return new PlatformError({
    kind: "request",
    cause,
    failure: phrase`Can't create ${path || phrase`the workspace root`}`,
    entity: path,
    operationId: createContent.id,
    reason,
  });
}

/**
 * Renames or moves an item. If the connection breaks and the outcome is unknown, checks both paths: if the item is at
 * the new path and no longer at the old one, the rename succeeded. A missing item is a 404 from any server.
 */
export async function renameItem(
  client: ContentCaller,
  from: string,
  to: string,
  options: CallOptions = {},
): Promise<ContentItem> {
  try {
    return await client.call(renameContent, { oldPath: from, body: { path: to } }, options);
  } catch (error) {
    // Version 1 of Jupyter Server responds with 500 to a missing source, and later ones do so if the target exists.
    if (hasStatus(error, 500) && (await isMissing(client, from, options))) {
      const reason = phrase`${from} doesn't exist on the server (500)`;
      const remedy = phrase`Refresh the folder.`;
      throw error.with({ cause: { type: "status", status: 404 }, reason, remedy });
    }
    const moved = mayHaveHappened(error) ? await itemIfMoved(client, from, to, options) : undefined;
    if (moved === undefined) {
      throw error;
    }
    return moved;
  }
}

/** True only if the server says so. */
async function isMissing(client: ContentCaller, path: string, options: CallOptions): Promise<boolean> {
  try {
    return (await statContent(client, path, { ...options, expected: "any" })) === undefined;
  } catch {
    return false;
  }
}

/**
 * The item at its new path, if it is no longer at the old one; otherwise, or if that can't be determined, undefined.
 */
async function itemIfMoved(
  client: ContentCaller,
  from: string,
  to: string,
  options: CallOptions,
): Promise<ContentItem | undefined> {
  const any = { ...options, expected: "any" } as const;
  try {
    return (await statContent(client, from, any)) === undefined ? await statContent(client, to, any) : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Removes the created item if a step fails. `elsewhere` is the path to which a step with an unknown outcome may have
 * moved it.
 */
export async function withCleanup<T>(
  client: ContentClient,
  leftover: string,
  step: () => Promise<T>,
  elsewhere?: string,
  remove = removeItem,
): Promise<T> {
  try {
    return await step();
  } catch (error) {
    try {
      // Ignore the caller's signal, because a canceled create must not leave its untitled file behind.
      await remove(client, leftover);
    } catch (cleanupError) {
      const isGone = hasStatus(cleanupError, 404);
      if (!isGone && error instanceof PlatformError) {
        const isElsewhere = elsewhere !== undefined && mayHaveHappened(error);
        throw error.withRemark(
          isElsewhere
            ? phrase`${leftover}, or ${elsewhere} in its place, was left behind on the server and couldn't be removed.`
            : phrase`${leftover} was left behind on the server and couldn't be removed.`,
        );
      }
      if (isGone && elsewhere !== undefined && error instanceof PlatformError && mayHaveHappened(error)) {
        throw error.withRemark(phrase`The server may have created ${elsewhere} anyway.`);
      }
    }
    throw error;
  }
}

async function removeItem(client: ContentClient, path: string): Promise<void> {
  await client.call(deleteContent, { path });
}
