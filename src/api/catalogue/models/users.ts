import * as z from "zod/mini";

// The API description doesn't specify the fields of these models. The fields below are known from the public platform,
// so each can be absent or null, and ids can be numbers or strings. Times are epoch milliseconds or ISO 8601, depending
// on the service.

const text = z.nullish(z.string());
const flag = z.nullish(z.boolean());
const count = z.nullish(z.number());
const numberOrText = z.union([z.number(), z.string()]);
const id = z.nullish(numberOrText);
const time = z.nullish(numberOrText);
const someList = z.nullish(z.array(z.unknown()));
const someObject = z.nullish(z.record(z.string(), z.unknown()));

/** The user that a credential belongs to. */
export const signedInUser = z.looseObject({
  id,
  displayName: text,
  userName: text,
  emailAddress: text,
  role: text,
  timeZone: text,
});

/** A principal that owns or can see an item. */
const principal = z.looseObject({ id, type: text, displayName: text });
const principals = z.nullish(z.array(principal));

/** A right that a role can grant. */
export const grant = z.looseObject({
  authority: text,
  title: text,
  description: text,
  authorityUIGroup: text,
  dependsOnAuthorities: someList,
  dependsOnFeature: someList,
  implicitAuthorities: someList,
  roleIds: z.nullish(z.array(numberOrText)),
  adminLevel: flag,
  assignableByCustomer: flag,
  systemGroup: flag,
  userCount: count,
});

const groupMember = z.looseObject({ type: text, id });

/** A group; the id and the type each have one of two names. */
export const group = z.looseObject({
  id,
  groupId: id,
  name: text,
  description: text,
  type: text,
  groupType: text,
  userIds: z.nullish(z.array(numberOrText)),
  owners: principals,
  groupMembers: z.nullish(z.array(groupMember)),
  memberCount: count,
  created: time,
  active: flag,
  default: flag,
});

export const role = z.looseObject({
  id,
  name: text,
  description: text,
  authorityCount: count,
  userCount: count,
  created: time,
  modified: time,
});

/** A user; the email address is a member of the user or of `detail`. */
export const user = z.looseObject({
  id,
  displayName: text,
  userName: text,
  emailAddress: text,
  role: text,
  roleId: id,
  rights: count,
  active: flag,
  pending: flag,
  accepted: flag,
  anonymous: flag,
  systemUser: flag,
  userType: text,
  timeZone: text,
  created: time,
  modified: time,
  invitorUserId: id,
  detail: someObject,
});
