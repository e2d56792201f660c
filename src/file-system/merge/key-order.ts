import { isRecord } from "../../api/records.ts";

/**
 * The JSON of a notebook with the members of its objects in the order that they have in another version of it. A server
 * may write them in another order, which a comparison would show as a change. Cells are compared with those of the same
 * id. Anything but two notebooks is returned unchanged.
 */
export function inKeyOrderOf(base: Uint8Array, notebook: Uint8Array): Uint8Array {
  try {
    const [model, value] = [base, notebook].map((bytes): unknown => JSON.parse(new TextDecoder().decode(bytes)));
    return isRecord(model) && isRecord(value)
      ? new TextEncoder().encode(JSON.stringify(ordered(value, model), undefined, 1))
      : notebook;
  } catch {
    return notebook;
  }
}

function ordered(value: unknown, model: unknown): unknown {
  if (isRecord(value) && isRecord(model)) {
    const names = [...Object.keys(model).filter((name) => Object.hasOwn(value, name)), ...Object.keys(value)];
    return Object.fromEntries([...new Set(names)].map((name) => [name, ordered(value[name], model[name])]));
  }
  if (Array.isArray(value) && Array.isArray(model)) {
    const byId = new Map(model.flatMap((item: unknown) => (idOf(item) === undefined ? [] : [[idOf(item), item]])));
    return value.map((item: unknown, index) => {
      const id = idOf(item);
      return ordered(item, id === undefined ? model[index] : byId.get(id));
    });
  }
  return value;
}

function idOf(item: unknown): string | undefined {
  return isRecord(item) && typeof item.id === "string" ? item.id : undefined;
}
