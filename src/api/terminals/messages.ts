/** A message of the server (terminado's protocol: JSON arrays that begin with a type). */
export type TerminalMessage =
  /** The socket is connected to the terminal. Recent output, if there is any, comes with the next message. */
  | { readonly type: "setup" }
  | { readonly type: "output"; readonly text: string }
  /** The shell has exited. */
  | { readonly type: "exited" };

/** Maximum size of a message from the server, in bytes: its recent output, of which each character can take 6 bytes. */
export const maxMessageBytes = 64 * 1024 * 1024;

/** Columns or rows beyond this are of no terminal. */
const maxSize = 10_000;

/** Parses a message. Undefined for types that are of no interest. Throws if it isn't a message. */
export function decodeTerminalMessage(data: Buffer): TerminalMessage | undefined {
  const message = parsed(data);
  if (!Array.isArray(message)) {
    throw new Error("the server sent a message that isn't a list");
  }
  const [type, value]: readonly unknown[] = message;
  switch (type) {
    case "setup":
      return { type: "setup" };
    case "stdout":
      return typeof value === "string" ? { type: "output", text: value } : undefined;
    case "disconnect":
      return { type: "exited" };
    default:
      return undefined;
  }
}

function parsed(data: Buffer): unknown {
  try {
    return JSON.parse(data.toString("utf8"));
  } catch {
    // Without the parser's error, which contains a part of the output.
    throw new Error("the server sent a message that isn't JSON");
  }
}

export function inputMessage(text: string): string {
  return JSON.stringify(["stdin", text]);
}

export interface TerminalSize {
  readonly rows: number;
  readonly columns: number;
}

export function sizeMessage({ rows, columns }: TerminalSize): string {
  return JSON.stringify(["set_size", bounded(rows), bounded(columns)]);
}

function bounded(cells: number): number {
  return Math.min(maxSize, Math.max(1, Math.trunc(cells)));
}
