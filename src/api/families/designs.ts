import type { Design, DesignOwner, DesignVersion } from "../catalogue/models/designs.ts";
import type { InputOf } from "../catalogue/operation.ts";
import { addDesignAdmin, getDesign, listDesigns } from "../catalogue/operations/designs.ts";
import { everyPage, pageSizeOf } from "../catalogue/paging.ts";
import type { CallOptions, PlatformClient } from "../client/client.ts";
import { invalidInput, operationError } from "../client/operation-errors.ts";
import type { PlatformError } from "../http/errors.ts";
import { phrase, type Text } from "../phrase.ts";

/** Which designs to list; what is left out has the defaults of the API description, 4.3. */
export type DesignQuery = Omit<InputOf<typeof listDesigns>, "limit" | "offset">;

/** All designs of a list, 30 at a time; one that two pages name comes once. */
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

/** The cards that show a design, under either spelling. */
export function cardsOf(design: Design): NonNullable<Design["cards"]> {
  return design.cards ?? design.referencingCards ?? [];
}

/** A design's versions as entries, bare version texts as entries without more. */
export function versionsOf(versions: Design["versions"]): readonly DesignVersion[] {
  return (versions ?? []).map((version) => (typeof version === "string" ? { version } : version));
}

/** When a version was created, under either spelling: ISO 8601, or milliseconds since 1970. */
export function createdOf(version: DesignVersion): string | number | undefined {
  return version.createdAt ?? version.createdDate ?? undefined;
}

/** What was asked for by a grant: the platform answers a status alone. */
export interface AdminsAdded {
  /** One sentence for people, built from the input. */
  readonly text: string;
  /** The ids that were asked for, sorted, each once. */
  readonly userIds: readonly number[];
  /** Those of them that were not on the access list before. */
  readonly added: readonly number[];
  /** All that was sent: the access list as it was read, and the new ids. */
  readonly sent: readonly number[];
}

/**
 * Makes users admins of a design (API description, 4.3, rules 1 to 4): reads the owners, adds the ids, sends the sorted
 * list. Nobody loses access by it. Throws an app GET error where the owners cannot be read, an app CRUD error where the
 * grant is refused, and a PlatformError of kind `request` for what is not a user id.
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
        throw invalidUserIds(designId, phrase`${JSON.stringify(userId)} is not a user id, which is a whole number`);
      }
      return id;
    }),
  );
  if (wanted.length === 0) {
    throw invalidUserIds(designId, phrase`there is no user to give access to`);
  }
  const input = { designId, parts: "owners" };
  const { owners } = await client.call(getDesign, input, options);
  if (owners === undefined || owners === null) {
    throw operationError(getDesign, input, {
      kind: "appGet",
      cause: { type: "unexpectedAnswer", fields: ["owners"] },
      reason: phrase`the platform did not say who its owners are`,
      remedy: phrase`Nothing was changed.`,
    });
  }
  const before = owners.map(({ id }: DesignOwner) => integerId(id)).filter((id) => id !== undefined);
  const sent = sortedIds([...before, ...wanted]);
  await client.call(addDesignAdmin, { designId, body: sent }, options);
  const who = wanted.length === 1 ? `user ${wanted[0]}` : `users ${wanted.join(", ")}`;
  return {
    text: `Asked for admin access to app design ${designId} for ${who}. This repeats the request: the platform confirms it without a list.`,
    userIds: wanted,
    added: wanted.filter((id) => !before.includes(id)),
    sent,
  };
}

/** A user id as a whole number, whether it came as a number or as digits. */
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
