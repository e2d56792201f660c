import * as z from "zod/mini";

const numberOrText = z.union([z.number(), z.string()]);

/**
 * A principal of a design (API description, 2.7). `role` and `roleId` are the instance role, not a permission for the
 * design.
 */
const designOwner = z.looseObject({
  id: numberOrText,
  displayName: z.nullish(z.string()),
  role: z.nullish(z.string()),
  roleId: z.nullish(z.number()),
  avatarKey: z.nullish(z.string()),
  detail: z.nullish(z.looseObject({ email: z.nullish(z.string()) })),
});
export type DesignOwner = z.output<typeof designOwner>;

/** A version of a design (API description, 2.7). Times are ISO 8601; the creation time has one of two names. */
const designVersion = z.looseObject({
  id: z.nullish(numberOrText),
  designId: z.nullish(z.string()),
  version: z.string(),
  createdAt: z.nullish(numberOrText),
  createdDate: z.nullish(numberOrText),
  updatedDate: z.nullish(numberOrText),
  releasedDate: z.nullish(numberOrText),
  deletedDate: z.nullish(numberOrText),
  createdBy: z.nullish(numberOrText),
  draft: z.nullish(z.boolean()),
  fullpage: z.nullish(z.boolean()),
  size: z.nullish(z.looseObject({ width: z.nullish(z.number()), height: z.nullish(z.number()) })),
});
export type DesignVersion = z.output<typeof designVersion>;

/** The versions of a design: objects or bare version strings. */
export const designVersions = z.array(z.union([designVersion, z.string()]));

/** A card that shows a design. */
const designCard = z.looseObject({ id: z.nullish(numberOrText), title: z.nullish(z.string()) });

/**
 * An enterprise app design (API description, 2.7). The fields depend on the requested parts. `owners` is the complete
 * access list. The cards have one of two names.
 */
export const design = z.looseObject({
  id: z.string(),
  name: z.nullish(z.string()),
  description: z.nullish(z.string()),
  owner: z.nullish(numberOrText),
  owners: z.nullish(z.array(designOwner)),
  creator: z.nullish(designOwner),
  createdDate: z.nullish(numberOrText),
  updatedDate: z.nullish(numberOrText),
  deletedDate: z.nullish(numberOrText),
  latestVersion: z.nullish(z.string()),
  trusted: z.nullish(z.boolean()),
  hasThumbnail: z.nullish(z.boolean()),
  thumbnail: z.nullish(z.unknown()),
  versions: z.nullish(designVersions),
  cards: z.nullish(z.array(designCard)),
  referencingCards: z.nullish(z.array(designCard)),
});
export type Design = z.output<typeof design>;

/** The ids of users who become admins of a design; must not be empty. */
export const adminIds = z
  .array(z.union([z.int().check(z.positive()), z.string().check(z.regex(/^[1-9]\d*$/))]))
  .check(z.minLength(1));
