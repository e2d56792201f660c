// Long inputs with a short description, so that a failure can name them.
import fc from "fast-check";

/** A JSON text of about this number of bytes that repeats a unit at one position in a value. */
export interface LongInput {
  readonly unit: string;
  readonly bytes: number;
  readonly place: Place;
}

type Place = keyof typeof places;

/**
 * The position of the long text. Each value also contains the usual parts of a response from the platform or a content
 * server.
 */
const places = {
  alone: (text: string) => text,
  title: (text: string) => ({ id: 1, title: text, name: text.slice(0, 10) }),
  listed: (text: string) => [{ id: "a", name: text }],
  halves: (text: string) => [text.slice(text.length / 2), { id: "b", name: text.slice(0, text.length / 2) }],
  memberName: (text: string) => ({ [text]: 1 }),
  message: (text: string) => ({ message: text, error: text.slice(0, 100), status: 400 }),
  fileName: (text: string) => folderOf([{ ...item, name: text, path: text.slice(0, 100) }]),
  filePath: (text: string) => folderOf([{ ...item, path: text }]),
  fileText: (text: string) => ({ ...item, format: "text", content: text }),
  fileBytes: (text: string) => ({ ...item, format: "base64", content: text }),
  cells: (text: string) => ({ ...item, type: "notebook", content: { cells: [{ source: text }], metadata: {} } }),
  names: (text: string) => folderOf(piecesOf(text).map((name) => ({ ...item, name, path: name }))),
  memberNames: (text: string) => Object.fromEntries(piecesOf(text).map((name, nth) => [`${name}${nth}`, nth])),
  members: (text: string) => ({ id: 1, items: piecesOf(text).map((token) => ({ token, list: [token, null] })) }),
  arraysAround: (text: string) => nested(text, (inner) => [inner]),
  objectsAround: (text: string) => nested(text, (inner) => ({ token: inner })),
} as const;

const item = { name: "a", path: "a", type: "file", writable: true, last_modified: "2026-01-01T00:00:00Z", size: 1 };

function folderOf(content: readonly object[]): object {
  return { ...item, type: "directory", content };
}

/** Pieces of a text, at most 10,000. */
function piecesOf(text: string): readonly string[] {
  const length = Math.max(20, Math.ceil(text.length / 10_000));
  return Array.from({ length: Math.ceil(text.length / length) }, (_, nth) =>
    text.slice(nth * length, (nth + 1) * length),
  );
}

/** The value in the maximum number of levels, and another level every few bytes of a text. */
function nested(text: string, around: (inner: unknown) => unknown): unknown {
  let value: unknown = text;
  for (let level = 0; level < 60 + (text.length % 60); level += 1) value = around(value);
  return value;
}

/** Strings that the scanners, parsers, and formatters of a front door search for or must escape. */
const units = [
  ...["?token", "?token=a&", '"token":"', '"token":"x",', '\\"token\\":\\"', "token ", "&client_secret=", "credential"],
  ...["Set-Cookie: a=b; ", '"', "\\", '\\"', "\u0001", "\n", " ", "\u00e9", "\u{1f642}", "\ud800", "%2e%2e/", "../"],
  ...["a@b.example,", "<b>", "&", "=", ":", ",", "{", "[", "0", "a", "\u202e", "*[](", "://"],
];

/** Long inputs of all kinds, up to the maximum size of a response. */
export const longInputs: fc.Arbitrary<LongInput> = fc.record({
  unit: fc.constantFrom(...units),
  bytes: fc.oneof(fc.nat(20_000), fc.nat(4_200_000)),
  place: fc.constantFrom(...(Object.keys(places) as Place[])),
});

/** The value of the input, truncated to about this number of bytes. */
export function longValueOf({ unit, bytes, place }: LongInput, max = Number.POSITIVE_INFINITY): unknown {
  const bytesOfUnit = Buffer.byteLength(JSON.stringify(unit)) - 2;
  return places[place](unit.repeat(Math.floor(Math.min(bytes, max) / bytesOfUnit)));
}
