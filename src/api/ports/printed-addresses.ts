import { plainText } from "../displayed-text.ts";
import { purposeOf } from "./address-purpose.ts";

/** A port of the workspace itself that a program has printed. */
export interface PrintedAddress {
  readonly port: number;
  /** Its URL, such as `http://localhost:8501/`. Undefined if only a sentence named the port, as in "running on port 8501". */
  readonly url: URL | undefined;
  /** Whether the text says that something serves it. Otherwise, it only mentions the URL. */
  readonly isAnnounced: boolean;
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
/** A scheme, a host that means the machine itself, and a port. */
const localOrigin = /https?:\/\/(?:localhost|127\.0\.0\.1|0\.0\.0\.0|\[::1?\]):(\d{1,6})/gi;
/** What comes before an origin that is only a part of something else, and how long that may be. */
const partBefore = /[\w+-]$|jdbc:\w{1,20}:$/i;
const maxPartBefore = 26;
/** The path, query, and fragment after an origin, and how long they may be. */
const restOfUrl = /^[/?#][^\s"'`<>()[\]{}|\\^]*/;
const maxRest = 1001;
const localSentence = /\b(?:running|listening|serving|served|started|available) (?:on|at) port:? (\d{2,5})(?![\w.])/gi;
const endOfSentence = /[.,;:!?]{1,10}$/;

/** The URLs of the machine itself in a text without escape sequences. Takes time proportional to its length. */
export function localUrlsIn(text: string): readonly FoundUrl[] {
  const found: FoundUrl[] = [];
  let end = 0;
  for (const { 0: origin, 1: digits, index } of text.slice(0, maxTextLength).matchAll(localOrigin)) {
    if (index < end || partBefore.test(text.slice(Math.max(0, index - maxPartBefore), index))) {
      continue;
    }
    const after = index + origin.length;
    const [rest = ""] = restOfUrl.exec(text.slice(after, after + maxRest)) ?? [];
    end = after + rest.length;
    const url = `${origin}${rest}`.replace(endOfSentence, "");
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

/** What was reported of a port, from the least to the most. */
const sentence = 1;
const mentionedUrl = 2;
const announcedUrl = 3;

interface FoundPort {
  readonly port: number;
  readonly url: URL | undefined;
  readonly reported: number;
}

/** Finds addresses in the output of one kernel or terminal, which arrives in chunks. */
export class AddressScanner {
  /** The reported ports, and the most that was reported of each. */
  readonly #ports = new Map<number, number>();
  #held = "";
  #isInTraceback = false;

  /**
   * The ports in the next chunk of which less was reported before. Those that belong to something else than an app, such
   * as an index of packages, and those in tracebacks are left out. `isWhole`: nothing continues the chunk.
   */
  take(chunk: string, { isWhole = false } = {}): readonly PrintedAddress[] {
    const text = this.#held + chunk.slice(0, maxTextLength);
    const end = isWhole ? text.length : Math.max(text.lastIndexOf("\n"), text.lastIndexOf("\r")) + 1;
    this.#held = text.slice(end).slice(-maxHeld);
    const complete = text.slice(0, end);
    if (!(this.#isInTraceback || /:\/\/|port|traceback/i.test(complete))) {
      return [];
    }
    const lines = plainText(complete)
      .split(/[\r\n]+/)
      .filter((line) => !this.#isOfTraceback(line));
    const found = new Map<number, FoundPort>();
    for (const one of lines.flatMap(portsIn)) {
      if (one.reported > (found.get(one.port)?.reported ?? 0)) {
        found.set(one.port, one);
      }
    }
    return [...found.values()].flatMap(({ port, url, reported }) => {
      const known = this.#ports.get(port);
      const isNew = known === undefined ? this.#ports.size < maxPorts && port <= maxPort : known < reported;
      if (!isNew) {
        return [];
      }
      this.#ports.set(port, reported);
      return [{ port, url, isAnnounced: reported !== mentionedUrl }];
    });
  }

  /** Whether a line is of Python's traceback, which ends with the first line that isn't indented: that of the error. */
  #isOfTraceback(line: string): boolean {
    if (/^\s{0,20}Traceback \(most recent call last\):/.test(line)) {
      this.#isInTraceback = true;
      return true;
    }
    const was = this.#isInTraceback;
    this.#isInTraceback = was && /^(?:\s|$)/.test(line);
    return was;
  }
}

function portsIn(line: string): readonly FoundPort[] {
  const urls = localUrlsIn(line).flatMap(({ start, length, port, url }) => {
    const purpose = purposeOf(line.slice(0, start), url, line.slice(start + length));
    return purpose === "foreign"
      ? []
      : [{ port, url, reported: purpose === "announced" ? announcedUrl : mentionedUrl }];
  });
  const sentences = [...line.matchAll(localSentence)].map(([, digits]) => ({
    port: Number(digits),
    url: undefined,
    reported: sentence,
  }));
  return [...urls, ...sentences];
}
