import { type JsonSchema, schemaOf } from "../../../api/catalogue/body-schema.ts";
import type { AnyOperation } from "../../../api/catalogue/operation.ts";

/** Maximum number of members that a description names. The most important ones come first. */
const maxNames = 12;
/** The name of a list that isn't a member of an object. */
const anonymous = "a list of items";
/** Maximum number of members next to the one list of a response that is a page of that list. */
const maxOthers = 3;

/**
 * The sentence of a tool's description about what the operation returns, such as `Returns workspaces with id, name,
 * owner.` Empty if the response has no known members.
 */
export function responseRemark(operation: AnyOperation): string {
  if (operation.responseFormat === "bytes") {
    return "Returns the bytes as base64.";
  }
  const forms = alternativesOf(schemaOf(operation.response));
  // Platforms that return a list directly or within an object return the same items.
  const lists = forms.flatMap((form) => [
    ...(form.type === "array" ? [{ name: anonymous, names: itemNamesOf(form) }] : []),
    ...membersOf(form)
      .filter(([, member]) => member.type === "array")
      .map(([name, member]) => ({ name, names: itemNamesOf(member) })),
  ]);
  const names = forms.flatMap((form) => membersOf(form).map(([name]) => name));
  const isList = forms.some(({ type }) => type === "array") || (lists.length === 1 && names.length <= maxOthers + 1);
  const filled = lists.filter((one) => one.names.length > 0);
  const list = filled.find(({ name }) => name !== anonymous) ?? filled[0];
  if (isList && list !== undefined) {
    return `Returns ${list.name} with ${namesText(list.names)}.`;
  }
  return names.length === 0 ? "" : `Returns ${namesText(names)}.`;
}

function itemNamesOf({ items }: JsonSchema): readonly string[] {
  return typeof items === "object" && !Array.isArray(items)
    ? alternativesOf(items).flatMap((form) => membersOf(form).map(([name]) => name))
    : [];
}

/** The alternatives of a schema, without those that can be anything. */
function alternativesOf(schema: JsonSchema): readonly JsonSchema[] {
  return (schema.anyOf ?? [schema])
    .filter((one): one is JsonSchema => typeof one === "object")
    .flatMap((one) => (one.anyOf === undefined ? [one] : alternativesOf(one)));
}

function membersOf({ properties = {} }: JsonSchema): readonly (readonly [name: string, schema: JsonSchema])[] {
  return Object.entries(properties).map(([name, member]) => {
    const [form = {}] = typeof member === "object" ? alternativesOf(member) : [];
    return [name, form];
  });
}

function namesText(names: readonly string[]): string {
  const different = [...new Set(names)];
  const more = different.length > maxNames ? ", and more" : "";
  return `${different.slice(0, maxNames).join(", ")}${more}`;
}
