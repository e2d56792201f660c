import type { Writable } from "node:stream";
import type { AnyOperation } from "../../api/catalogue/operation.ts";
import type { Client, RawResponse } from "../../api/client/client.ts";
import { readableResponse } from "../../api/client/readable-response.ts";
import { onLines, onOneLine } from "../../api/displayed-text.ts";

/** Maximum number of characters of a body on a terminal. A file or another program gets all of it. */
const maxShown = 1024 * 1024;

/** An unchanged response as bytes or text to write, and a line about it for stderr. */
interface RawOutput {
  readonly content: Uint8Array | string;
  readonly line: string;
}

interface RawOutputOptions {
  /** Nothing is masked: the bytes are unchanged. */
  readonly isUnmasked: boolean;
  /** Escapes control characters, and truncates long text. */
  readonly isTerminal: boolean;
}

/** The output for an unchanged response (the description's `return_raw`), regardless of its status. */
export function rawOutput(
  client: Pick<Client<"platform">, "shown">,
  operation: AnyOperation,
  response: RawResponse,
  { isUnmasked, isTerminal }: RawOutputOptions,
): RawOutput {
  const size = response.body.byteLength;
  const contentType = onOneLine(response.headers["content-type"] ?? "no content type");
  const line = `HTTP ${response.status}, ${contentType}, ${size} bytes`;
  const { body } = readableResponse(client, operation, response, isTerminal ? maxShown : size);
  switch (body.type) {
    case "empty":
      return { content: "", line };
    case "bytes":
      return isTerminal
        ? { content: "", line: `${line}. The response isn't text. Save it to a file with --output.` }
        : { content: response.body, line };
    case "text": {
      const whole = new TextDecoder().decode(response.body);
      const text = isUnmasked ? whole : body.text;
      if (!isTerminal) {
        // If nothing is masked, the bytes stay unchanged, regardless of their encoding.
        return { content: text === whole ? response.body : text, line };
      }
      const isCut = text.length > maxShown || body.isCut;
      const shown = `${onLines(text.slice(0, maxShown))}\n`;
      return {
        content: shown,
        line: isCut ? `${line}. The response is truncated. To save all of it, use --output.` : line,
      };
    }
  }
}

/** True if the output goes to a terminal. */
export function isTerminal(output: Writable): boolean {
  return "isTTY" in output && output.isTTY === true;
}
