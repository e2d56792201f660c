/** The content that steps write: kinds that servers and editors are known to change. */
const book = (source: string, metadata = "{}"): string =>
  `{"cells":[{"cell_type":"code","execution_count":null,"id":"a1","metadata":${metadata},"outputs":[],"source":["${source}"]}],"metadata":{},"nbformat":4,"nbformat_minor":5}`;

const plainContents: readonly Uint8Array[] = [
  Buffer.from("one\n"),
  // Of the same size as the first.
  Buffer.from("two\n"),
  Buffer.alloc(0),
  Buffer.from("first\r\nsecond\r\n"),
  Buffer.from("\u{FEFF}with a mark\n"),
  Buffer.from([0, 1, 2, 255, 254, 128, 10]),
  Buffer.from("zwölf € 😀 \u{0} end"),
  Buffer.from("x".repeat(70_000)),
];

const notebookContents: readonly Uint8Array[] = [
  Buffer.from(book("1")),
  Buffer.from(book("2")),
  Buffer.from(book("print('ü')", '{"float":1.0,"large":9007199254740993}')),
  // Not a notebook, so it is sent as a file.
  Buffer.from("{ not a notebook"),
];

export const contentFor: Contents = (path, index) => {
  const pool = path.endsWith(".ipynb") ? notebookContents : plainContents;
  const content = pool[index % pool.length];
  if (content === undefined) throw new Error("there are no contents");
  return content;
};

/** The bytes for the number in a step. */
export type Contents = (path: string, index: number) => Uint8Array;

/**
 * For a server with only the API description: texts and notebooks, all of different sizes, because there is no hash to
 * distinguish them.
 */
export const describedContents: Contents = (path, index) => {
  const text = path.endsWith(".ipynb")
    ? book("1".repeat((index % 4) + 1), '{"float":1.0,"large":9007199254740993}')
    : ["", "one\n", "first\r\nsecond\r\n", "\u{FEFF}with a mark\n", "zwölf € 😀 end"].at(index % 5);
  return Buffer.from(text ?? "");
};

/**
 * A form for comparing a file's bytes with what was written: a notebook's JSON without its formatting, which servers
 * change, but with all digits of its numbers; anything else byte by byte.
 */
export function comparableBytes(bytes: Uint8Array): string {
  const text = Buffer.from(bytes).toString("utf8");
  if (!text.includes('"nbformat"')) return `bytes ${Buffer.from(bytes).toString("hex")}`;
  const compact = text.replace(/("(?:[^"\\]|\\.)*")|\s+/g, (_, string: string | undefined) => string ?? "");
  // Some servers join the lines of a source.
  return `notebook ${compact.replace(/"source":\[("[^"\\]*")\]/g, '"source":$1')}`;
}
