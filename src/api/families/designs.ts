import type { Design, DesignOwner, DesignVersion } from "../catalogue/models/designs.ts";
import type { InputOf } from "../catalogue/operation.ts";
import { addDesignAdmin, getDesign, listDesigns } from "../catalogue/operations/designs.ts";
import { everyPage, pageSizeOf } from "../catalogue/paging.ts";
import type { CallOptions, PlatformClient } from "../client/client.ts";
import { invalidInput, operationError } from "../client/operation-errors.ts";
import type { PlatformError } from "../http/errors.ts";
import { phrase, type Text } from "../phrase.ts";
import { isRecord } from "../records.ts";

/** Filters for designs; the defaults are those of the API description, 4.3. */
export type DesignQuery = Omit<InputOf<typeof listDesigns>, "limit" | "offset">;

/** Lists all designs, 30 per request, without duplicates. */
export function allDesigns(
  client: PlatformClient,
  query: DesignQuery = {},
  options: CallOptions = {},
): AsyncGenerator<readonly Design[]> {
  const limit = pageSizeOf(listDesigns);
  return everyPage({
    pageSize: limit,
    keyOf: ({ id }) => id,
    fetch: async (offset) => ({ items: await client.call(listDesigns, { ...query, limit, offset }, options) }),
  });
}

/** The cards that show a design, under either of their names. */
export function cardsOf(design: Design): NonNullable<Design["cards"]> {
  return design.cards ?? design.referencingCards ?? [];
}

/** A design's versions as objects. A bare version string becomes an object with only the version. */
export function versionsOf(versions: Design["versions"]): readonly DesignVersion[] {
  return (versions ?? []).map((version) => (typeof version === "string" ? { version } : version));
}

/** The creation time of a version, under either of its names: ISO 8601, or milliseconds since 1970. */
export function createdOf(version: DesignVersion): string | number | undefined {
  return version.createdAt ?? version.createdDate ?? undefined;
}

/** The requested admins. The platform's response contains only a status. */
export interface AdminsAdded {
  /** A message for the user, built from the input. */
  readonly text: string;
  /** The requested ids, sorted and without duplicates. */
  readonly userIds: readonly number[];
  /** The requested ids that were not on the access list before. */
  readonly added: readonly number[];
  /** The ids that were sent: the current access list and the new ids. */
  readonly sent: readonly number[];
}

/**
 * Makes users admins of a design (API description, 4.3, rules 1 to 4): reads the owners, adds the ids, and sends the
 * sorted list, so that nobody loses access. Throws an app GET error if the owners can't be read, an app CRUD error if
 * the change is refused, and a PlatformError of kind `request` for an invalid user id.
 */
export async function addDesignAdmins(
  client: PlatformClient,
  designId: string,
  userIds: readonly (number | string)[],
  options: CallOptions = {},
): Promise<AdminsAdded> {
  const wanted = sortedIds(
    userIds.map((userId) => {
      const id = integerId(userId);
      if (id === undefined) {
        throw invalidUserIds(designId, phrase`${JSON.stringify(userId)} isn't a user ID; user IDs are whole numbers`);
      }
      return id;
    }),
  );
  if (wanted.length === 0) {
    throw invalidUserIds(designId, phrase`no user was specified`);
  }
  const input = { designId, parts: "owners" };
  const { owners } = await client.call(getDesign, input, options);
  if (owners === undefined || owners === null) {
    throw operationError(getDesign, input, {
      kind: "appGet",
      cause: { type: "unexpectedResponse", fields: ["owners"] },
      reason: phrase`the platform didn't list its owners`,
      remedy: phrase`Nothing was changed.`,
    });
  }
  const before = owners.map(({ id }: DesignOwner) => integerId(id)).filter((id) => id !== undefined);
  const sent = sortedIds([...before, ...wanted]);
  await client.call(addDesignAdmin, { designId, body: sent }, options);
  const who = wanted.length === 1 ? `user ${wanted[0]}` : `users ${wanted.join(", ")}`;
  return {
    text: `Requested admin access to app design ${designId} for ${who}. The platform accepted the request without returning the access list.`,
    userIds: wanted,
    added: wanted.filter((id) => !before.includes(id)),
    sent,
  };
}

/** A user id as a whole number, whether given as a number or as digits. */
function integerId(value: unknown): number | undefined {
  const number = typeof value === "string" && /^\s*\d+\s*$/.test(value) ? Number(value) : value;
  return typeof number === "number" && Number.isSafeInteger(number) && number > 0 ? number : undefined;
}

function sortedIds(ids: readonly number[]): number[] {
  return [...new Set(ids)].sort((left, right) => left - right);
}

function invalidUserIds(designId: string, reason: Text): PlatformError {
  return invalidInput(addDesignAdmin, { designId }, "userIds", reason);
}

/** The id of a design's owner, which platforms return as a number, a text, or an object with the id. */
export function ownerIdOf(owner: unknown): string | number | undefined {
  const id = isRecord(owner) ? owner.id : owner;
  return typeof id === "string" || typeof id === "number" ? id : undefined;
}
