import * as z from "zod/mini";

const readCell = z.looseObject({
  id: z.optional(z.string()),
  cell_type: z.string(),
  source: z.union([z.string(), z.array(z.string())]),
  attachments: z.optional(z.record(z.string(), z.unknown())),
});
type Cell = z.infer<typeof readCell>;
const readNotebook = z.looseObject({ cells: z.array(readCell) });

const member = Buffer.from('"attachments"');

/**
 * The names of attachments that a notebook has before a save, but not after it, although their cells still refer to them.
 * The editor drops an attachment unless the text of its cell has it as an image, with the same spelling. Empty if one of
 * the two isn't a valid notebook.
 */
export function droppedAttachments(before: Uint8Array, after: Uint8Array): readonly string[] {
  if (!Buffer.from(before.buffer, before.byteOffset, before.byteLength).includes(member)) {
    return [];
  }
  const [old, saved] = [cellsOf(before), cellsOf(after)];
  const byId = new Map(saved.flatMap((cell) => (cell.id === undefined ? [] : [[cell.id, cell] as const])));
  const names = old.flatMap((cell, index) => {
    const { attachments = {}, id } = cell;
    const now = id === undefined ? saved[index] : byId.get(id);
    return now === undefined
      ? []
      : Object.keys(attachments).filter((name) => now.attachments?.[name] === undefined && refersTo(now, name));
  });
  return [...new Set(names)];
}

function cellsOf(bytes: Uint8Array): readonly Cell[] {
  try {
    const parsed = z.safeParse(readNotebook, JSON.parse(new TextDecoder().decode(bytes)));
    return parsed.success ? parsed.data.cells : [];
  } catch {
    return [];
  }
}

/** True if the text has the address of an attachment, as it is or percent-encoded. */
function refersTo({ source }: Cell, name: string): boolean {
  const text = typeof source === "string" ? source : source.join("");
  return text
    .split("attachment:")
    .slice(1)
    .some((rest) => [rest, decoded(rest.slice(0, 9 * name.length + 1))].some((address) => isAt(address, name)));
}

/** True if an address begins with this name, and not with a longer one. */
function isAt(address: string, name: string): boolean {
  return address.startsWith(name) && /^(?:$|[\s)>"'\]])/u.test(address.slice(name.length, name.length + 1));
}

/** Decodes what can be decoded. */
function decoded(text: string): string {
  return text.replace(/(?:%[0-9a-f]{2})+/giu, (encoded) => {
    try {
      return decodeURIComponent(encoded);
    } catch {
      return encoded;
    }
  });
}
