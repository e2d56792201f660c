import { bearer, type Case, callWith, describeCases, prefix } from "../harness/front-door/cases.ts";

const bare = { status: 401, code: "missing_token", challenge: "bare" } as const;
const invalid = { status: 401, code: "invalid_token", challenge: "invalid_token" } as const;
const malformed = { status: 400, code: "invalid_request", challenge: "invalid_request" } as const;
const served = { status: 200, reached: { entitlement: 1, credential: 1, platform: 1 } } as const;

/** A request whose Authorization headers contain the user's valid token. */
function authorization(name: string, make: (token: string) => readonly string[]): Pick<Case, "name" | "send"> {
  return {
    name,
    send: async (rig, person) => callWith(make(rig.token(person)).map((value) => ["Authorization", value] as const)),
  };
}

/** A request whose token is derived from the valid one, after the prefix. */
function token(name: string, make: (token: string) => string): Pick<Case, "name" | "send"> {
  return authorization(name, (good) => [`Bearer ${prefix}${make(good)}`]);
}

/** A request without an Authorization header that has the token elsewhere. */
function elsewhere(name: string, make: (token: string) => ReturnType<typeof callWith>): Pick<Case, "name" | "send"> {
  return { name, send: async (rig, person) => make(`${prefix}${rig.token(person)}`) };
}

const cases: readonly Case[] = [
  // Proves 5.3: clients send a bearer token behind a fixed
  { ...authorization("a good token", (good) => [`Bearer ${prefix}${good}`]), expected: served },
  { ...authorization("the scheme in small letters", (good) => [`bearer ${prefix}${good}`]), expected: served },
  { ...authorization("the scheme in capitals", (good) => [`BEARER ${prefix}${good}`]), expected: served },
  { ...authorization("no Authorization header", () => []), expected: bare },
  { ...authorization("an empty Authorization header", () => [""]), expected: bare },
  { ...authorization("a scheme without a token", () => ["Bearer"]), expected: bare },
  { ...authorization("a scheme and spaces", () => ["Bearer    "]), expected: bare },
  { ...authorization("the Basic scheme", () => ["Basic YW5uYTpzZWNyZXQ="]), expected: bare },
  { ...authorization("another scheme with the good token", (good) => [`DPoP ${prefix}${good}`]), expected: bare },
  { ...authorization("the good token without a scheme", (good) => [`${prefix}${good}`]), expected: bare },
  { ...authorization("a scheme that only begins as Bearer", (good) => [`Bearerx ${prefix}${good}`]), expected: bare },
  { ...authorization("the prefix and nothing behind it", () => [`Bearer ${prefix}`]), expected: invalid },
  // Proves 5.3: clients send a bearer token behind a fixed prefix
  { ...authorization("no prefix", (good) => [`Bearer ${good}`]), expected: invalid },
  { ...authorization("the prefix twice", (good) => [`Bearer ${prefix}${prefix}${good}`]), expected: invalid },
  { ...authorization("another prefix", (good) => [`Bearer other_${good}`]), expected: invalid },
  {
    ...authorization("the prefix in capitals", (good) => [`Bearer ${prefix.toUpperCase()}${good}`]),
    expected: invalid,
  },
  {
    ...authorization("the prefix without its underscore", (good) => [`Bearer ${prefix.slice(0, -1)}${good}`]),
    expected: invalid,
  },
  {
    ...authorization("two tokens behind one scheme", (good) => [`Bearer ${prefix}${good} ${prefix}${good}`]),
    expected: malformed,
  },
  {
    ...authorization("two tokens with a comma", (good) => [`Bearer ${prefix}${good},${prefix}${good}`]),
    expected: invalid,
  },
  {
    ...authorization("a parameter behind the token", (good) => [`Bearer ${prefix}${good}, realm="x"`]),
    expected: malformed,
  },
  {
    ...authorization("a token that a space cuts in two", (good) => [`Bearer ${prefix}${good.replace(".", " .")}`]),
    expected: malformed,
  },
  { ...authorization("a quoted token", (good) => [`Bearer "${prefix}${good}"`]), expected: invalid },
  {
    ...authorization("two equal Authorization headers", (good) => [
      `Bearer ${prefix}${good}`,
      `Bearer ${prefix}${good}`,
    ]),
    expected: malformed,
  },
  {
    ...authorization("a good Authorization header before a bad one", (good) => [`Bearer ${prefix}${good}`, "Bearer x"]),
    expected: malformed,
  },
  {
    ...authorization("a bad Authorization header before a good one", (good) => ["Bearer x", `Bearer ${prefix}${good}`]),
    expected: malformed,
  },
  {
    ...authorization("an empty Authorization header before a good one", (good) => ["", `Bearer ${prefix}${good}`]),
    expected: malformed,
  },
  {
    ...elsewhere("a token in the query", (good) => ({ ...callWith([]), target: `/mcp?access_token=${good}` })),
    expected: { status: 400, code: "invalid_request", challenge: "invalid_request" },
  },
  {
    ...elsewhere("a token in a cookie", (good) => callWith([["Cookie", `access_token=${good}`]])),
    expected: bare,
  },
  {
    ...elsewhere("a token in Proxy-Authorization", (good) => callWith([["Proxy-Authorization", `Bearer ${good}`]])),
    expected: bare,
  },
  {
    ...elsewhere("a token in X-Authorization", (good) => callWith([["X-Authorization", `Bearer ${good}`]])),
    expected: bare,
  },
  {
    name: "the internal secret in place of a token",
    send: (rig) => callWith([["X-Webui-Secret", rig.internal.secret]]),
    expected: bare,
  },
  { name: "the internal secret as a token", send: (rig) => callWith(bearer(rig.internal.secret)), expected: invalid },
  { ...token("not a token at all", () => "garbage"), expected: invalid },
  { ...token("one part", (good) => good.split(".")[0] ?? ""), expected: invalid },
  { ...token("two parts", (good) => good.split(".").slice(0, 2).join(".")), expected: invalid },
  { ...token("four parts", (good) => `${good}.AAAA`), expected: invalid },
  { ...token("five parts, as an encrypted token has", (good) => `${good}.AAAA.AAAA`), expected: invalid },
  { ...token("three empty parts", () => ".."), expected: invalid },
  { ...token("an empty header", (good) => `.${good.split(".").slice(1).join(".")}`), expected: invalid },
  {
    ...token("an empty payload", (good) => `${good.split(".")[0]}..${good.split(".")[2]}`),
    expected: invalid,
  },
  { ...token("padding behind the signature", (good) => `${good}==`), expected: invalid },
  { ...token("a percent-encoded dot", (good) => good.replace(".", "%2E")), expected: invalid },
  { ...token("the base64 alphabet in place of base64url", (good) => `${good.slice(0, -2)}+/`), expected: invalid },
  { ...token("a zero-width letter within", (good) => `${good}\u200b`), expected: invalid },
  { ...token("a letter beyond ASCII", (good) => `${good}é`), expected: invalid },
  { ...token("a tab within", (good) => `${good.slice(0, 20)}\t${good.slice(20)}`), expected: invalid },
  { ...token("a signature's last letter in its other spelling", otherSpelling), expected: invalid },
  { ...token("a token of 9,000 letters", (good) => `${good}${"A".repeat(9000 - good.length)}`), expected: invalid },
  {
    ...token("a token over the limit of headers", (good) => `${good}${"A".repeat(20_000)}`),
    expected: { status: 431, challenge: "none" },
  },
  {
    ...token("a zero byte within", (good) => `${good.slice(0, 20)}\u0000${good.slice(20)}`),
    expected: { status: 400, challenge: "none" },
  },
  {
    ...token("a line break within", (good) => `${good.slice(0, 20)}\r\n ${good.slice(20)}`),
    expected: { status: 400, challenge: "none" },
  },
];

/** Base64 of 256 bytes does not use four bits of its last letter, so another letter there decodes to the same bytes. */
function otherSpelling(good: string): string {
  const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  const last = alphabet.indexOf(good.at(-1) ?? "");
  return `${good.slice(0, -1)}${alphabet[last ^ 1]}`;
}

describeCases("front door: where the token stands", cases);
