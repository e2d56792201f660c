/** What to do with the first bytes of a connection to a forwarded port. */
export type FirstBytes =
  /** They don't decide it yet. */
  | { readonly type: "incomplete" }
  /** Pass on these bytes, and all that follow. `isHttp`: they are a request. */
  | { readonly type: "passed"; readonly bytes: Buffer; readonly isHttp: boolean }
  /** A request that a page of another site has made. */
  | { readonly type: "refused"; readonly reason: string };

const tooLarge = "its headers are too large";
/** Maximum size of a request's headers. Servers accept 8 to 64 KB. */
const maxHeaderBytes = 64 * 1024;
/** The first line of a request, with any method: pages can choose one. */
const requestLine = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+ [^\r\n]* HTTP\/1\.[01]\r?\n$/;
/** What may become a first line of a request. */
const requestStart = /^[!#$%&'*+.^_`|~0-9A-Za-z-]*(?: [^\r\n]*\r?)?$/;
const loopback = /^(?:localhost|[a-z0-9-]{1,63}\.localhost|127\.0\.0\.1|\[::1\])$/;

/**
 * Checks the first request of a connection, so that a page of the web can't use a forwarded port. `hosts`: the hosts, with
 * their ports if they have any, under which a browser reaches it, besides those of this computer.
 *
 * - The host of its address must be this computer. Otherwise, a name of an attacker that resolves to 127.0.0.1 would make
 *   the port a part of the attacker's site (DNS rebinding).
 * - A page of another site may link to the port or embed it, but not send anything else to it. Such a connection ends with
 *   its response, so that it isn't used again for a request that nobody checks.
 */
export function checkFirstBytes(bytes: Buffer, hosts: readonly string[]): FirstBytes {
  const lineEnd = bytes.indexOf("\n");
  if (lineEnd === -1) {
    const mayBecome = requestStart.test(bytes.toString("latin1"));
    return mayBecome ? incomplete(bytes) : { type: "passed", bytes, isHttp: false };
  }
  if (!requestLine.test(bytes.subarray(0, lineEnd + 1).toString("latin1"))) {
    return { type: "passed", bytes, isHttp: false };
  }
  const end = endOfHeaders(bytes);
  if (end === undefined) {
    return incomplete(bytes);
  }
  const [first = "", ...lines] = bytes.subarray(0, end).toString("latin1").split(/\r?\n/);
  const headers = headersIn(lines);
  const reason = refusalOf(first, headers, hosts);
  if (reason !== undefined) {
    return { type: "refused", reason };
  }
  if (headers.get("sec-fetch-site") !== "cross-site") {
    return { type: "passed", bytes, isHttp: true };
  }
  const others = lines.filter((line) => !/^(?:connection|keep-alive)[ \t]*:/i.test(line));
  const closing = Buffer.from([first, "Connection: close", ...others].join("\r\n"), "latin1");
  return { type: "passed", bytes: Buffer.concat([closing, bytes.subarray(end)]), isHttp: true };
}

/** Headers that are too large to be checked are refused. */
function incomplete(bytes: Buffer): FirstBytes {
  return bytes.length > maxHeaderBytes ? { type: "refused", reason: tooLarge } : { type: "incomplete" };
}

/** Index of the empty line's end. */
function endOfHeaders(bytes: Buffer): number | undefined {
  const [plain, short] = [bytes.indexOf("\r\n\r\n"), bytes.indexOf("\n\n")];
  if (plain === -1 && short === -1) {
    return undefined;
  }
  return short === -1 || (plain !== -1 && plain < short) ? plain + 4 : short + 2;
}

/** The values by name in lower case. Several of one name are joined. */
function headersIn(lines: readonly string[]): ReadonlyMap<string, string> {
  const headers = new Map<string, string>();
  for (const line of lines) {
    const colon = line.indexOf(":");
    if (colon > 0) {
      const name = line.slice(0, colon).trim().toLowerCase();
      const value = line.slice(colon + 1).trim();
      const before = headers.get(name);
      headers.set(name, before === undefined ? value : `${before}, ${value}`);
    }
  }
  return headers;
}

/** Why a request isn't passed on, as the end of a sentence; undefined if it is. */
function refusalOf(first: string, headers: ReadonlyMap<string, string>, hosts: readonly string[]): string | undefined {
  const host = headers.get("host");
  if (host !== undefined && !isOwn(host, hosts)) {
    return "its address doesn't name this computer";
  }
  const origin = headers.get("origin");
  if (origin !== undefined && !isOwn(origin.replace(/^[a-z][a-z0-9+.-]*:\/\//i, ""), hosts)) {
    return "a page of another site sent it";
  }
  if (headers.get("sec-fetch-site") !== "cross-site") {
    return undefined;
  }
  const isLink = headers.get("sec-fetch-mode") === "navigate" && /^(?:GET|HEAD) /.test(first);
  return isLink ? undefined : "a page of another site sent it";
}

function isOwn(authority: string, hosts: readonly string[]): boolean {
  const name = authority.toLowerCase();
  return loopback.test(name.replace(/:\d{1,5}$/, "")) || hosts.some((host) => host.toLowerCase() === name);
}
