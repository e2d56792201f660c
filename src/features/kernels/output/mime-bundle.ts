/** Values by MIME type, as Jupyter sends and saves them: text, lists of lines, base64 for images, or JSON. */
export type MimeData = Readonly<Record<string, unknown>>;

/** An output item as bytes, in the format that the editor's notebook serializer expects. */
export interface MimeItem {
  readonly mime: string;
  readonly data: Uint8Array;
}

/** The richest types first, in the same order as in the editor. Unknown types come last. */
const order: readonly string[] = [
  "application/vnd.",
  "application/vdom.",
  "application/geo+json",
  "application/x-nteract-model-debug+json",
  "text/html",
  "application/javascript",
  "image/gif",
  "text/latex",
  "text/markdown",
  "image/png",
  "image/svg+xml",
  "image/jpeg",
  "application/json",
  "text/plain",
];

/** The items of a bundle, in the editor's order of preference. */
export function mimeItems(bundle: MimeData): readonly MimeItem[] {
  return Object.entries(bundle)
    .map(([mime, value]) => ({ mime, data: bytesOf(mime, value) }))
    .map((item, position) => ({ item, position, rank: rankOf(item) }))
    .toSorted((one, other) => one.rank - other.rank || one.position - other.position)
    .map(({ item }) => item);
}

function rankOf({ mime, data }: MimeItem): number {
  const isEmptyVendorType = mime.startsWith("application/vnd.") && data.length === 0;
  const isKind = (known: string): boolean => (known.endsWith(".") ? mime.startsWith(known) : mime === known);
  const rank = order.findIndex(isKind);
  return rank < 0 || isEmptyVendorType ? order.length : rank;
}

const encoder = new TextEncoder();

function bytesOf(mime: string, value: unknown): Uint8Array {
  const text = mimeText(value);
  if (mime.startsWith("image/") && mime !== "image/svg+xml" && typeof text === "string") {
    return Buffer.from(text, "base64");
  }
  if (isJson(mime) && typeof value !== "string") {
    return encoder.encode(JSON.stringify(value) ?? "");
  }
  return encoder.encode(text ?? JSON.stringify(value) ?? "");
}

function isJson(mime: string): boolean {
  return mime === "application/json" || mime.endsWith("+json");
}

/** The text of a string or a list of lines; undefined for anything else. */
function mimeText(value: unknown): string | undefined {
  if (typeof value === "string") {
    return value;
  }
  return Array.isArray(value) && value.every((line) => typeof line === "string") ? value.join("") : undefined;
}

/** The approximate size of a bundle, in characters. */
export function sizeOf(bundle: MimeData): number {
  return Object.values(bundle).reduce<number>((sum, value) => {
    const text = mimeText(value);
    return sum + (text === undefined ? (JSON.stringify(value)?.length ?? 0) : text.length);
  }, 0);
}
