import { plainText } from "../displayed-text.ts";

/** A port of the workspace itself that a program has printed. */
export interface PrintedAddress {
  readonly port: number;
  /** Its URL, such as `http://localhost:8501/`. Undefined if only a sentence named the port, as in "running on port 8501". */
  readonly url: URL | undefined;
}

/** A URL of the workspace itself in a text. */
export interface FoundUrl {
  /** Index and number of its characters. */
  readonly start: number;
  readonly length: number;
  readonly port: number;
  readonly url: URL;
}

const maxPort = 65_535;
const maxFound = 20;
/** Longer texts are searched up to here. */
const maxTextLength = 65_536;
/** A scheme, a host that means the machine itself, a port, and the path, query, and fragment. */
const localUrl =
  /\bhttps?:\/\/(?:localhost|127\.0\.0\.1|0\.0\.0\.0|\[::1?\]):(\d{1,5})(?!\d)(?:[/?#][^\s"'`<>()[\]{}|\\^]{0,1000})?/gi;
const localSentence = /\b(?:running|listening|serving|served|started|available) (?:on|at) port:? (\d{2,5})(?![\w.])/gi;
const endOfSentence = /[.,;:!?]{1,10}$/;

/** The URLs of the machine itself in a text without escape sequences. Takes time proportional to its length. */
export function localUrlsIn(text: string): readonly FoundUrl[] {
  const found: FoundUrl[] = [];
  for (const { 0: whole, 1: digits, index } of text.slice(0, maxTextLength).matchAll(localUrl)) {
    const url = whole.replace(endOfSentence, "");
    const port = Number(digits);
    if (port >= 1 && port <= maxPort && URL.canParse(url)) {
      found.push({ start: index, length: url.length, port, url: new URL(url) });
    }
    if (found.length >= maxFound) {
      break;
    }
  }
  return found;
}

/** Different ports that are reported of one kernel or terminal. */
const maxPorts = 10;
/** Characters of an incomplete line that are searched again with the rest of it. */
const maxHeld = 512;

/** Finds addresses in the output of one kernel or terminal, which arrives in chunks. */
export class AddressScanner {
  /** The reported ports, and whether each was reported with a URL. */
  readonly #ports = new Map<number, boolean>();
  #held = "";

  /**
   * The ports in the next chunk that were not reported before, at least not with a URL. `isWhole`: nothing continues the
   * chunk.
   */
  take(chunk: string, { isWhole = false } = {}): readonly PrintedAddress[] {
    const text = this.#held + chunk.slice(0, maxTextLength);
    const end = isWhole ? text.length : Math.max(text.lastIndexOf("\n"), text.lastIndexOf("\r")) + 1;
    this.#held = text.slice(end).slice(-maxHeld);
    const complete = text.slice(0, end);
    if (!/:\/\/|port/i.test(complete)) {
      return [];
    }
    const plain = plainText(complete);
    const sentences = [...plain.matchAll(localSentence)].map(([, digits]) => ({
      port: Number(digits),
      url: undefined,
    }));
    return [...localUrlsIn(plain), ...sentences].flatMap(({ port, url }) => {
      const known = this.#ports.get(port);
      const isNew = known === undefined ? this.#ports.size < maxPorts && port <= maxPort : !known && url !== undefined;
      if (!isNew) {
        return [];
      }
      this.#ports.set(port, url !== undefined);
      return [{ port, url }];
    });
  }
}
