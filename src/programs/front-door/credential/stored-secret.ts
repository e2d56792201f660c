/** Whose credential, and which, was asked for. */
export interface CredentialName {
  readonly email: string;
  readonly slug: string;
}

export type StoredSecretOutcome =
  | { readonly outcome: "secret"; readonly secret: string }
  | { readonly outcome: "unreadable"; readonly reason: string };

const tokenNames = ["token", "access_token", "developer_token", "api_key"] as const;
const utf8 = new TextDecoder("utf-8", { fatal: true });

/**
 * Takes the token out of an opened envelope: the plaintext itself, or one member of its JSON object. Where the envelope
 * or the object names a person or a slug, they must be the ones that were asked for: no envelope opens for another.
 */
export function secretWithin(
  plaintext: Uint8Array,
  header: Readonly<Record<string, unknown>>,
  name: CredentialName,
): StoredSecretOutcome {
  let text: string;
  try {
    text = utf8.decode(plaintext).trim();
  } catch {
    return unreadable("it holds no text");
  }
  if (!text.startsWith("{")) {
    return isFor(header, name) ? asSecret(text) : unreadable("it belongs to another person or slug");
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return unreadable("it holds no JSON");
  }
  const members = value as Readonly<Record<string, unknown>>;
  if (!isFor(header, name) || !isFor(members, name)) {
    return unreadable("it belongs to another person or slug");
  }
  const member = tokenNames.find((one) => Object.hasOwn(members, one));
  return member === undefined ? unreadable("it holds no token") : asSecret(members[member]);
}

function isFor(members: Readonly<Record<string, unknown>>, { email, slug }: CredentialName): boolean {
  const named = members.email;
  const isSamePerson =
    named === undefined || (typeof named === "string" && named.toLowerCase() === email.toLowerCase());
  return isSamePerson && (members.slug === undefined || members.slug === slug);
}

/** A header can carry visible ASCII alone; anything else is no token. */
function asSecret(value: unknown): StoredSecretOutcome {
  return typeof value === "string" && /^[\x21-\x7e]{1,8192}$/.test(value)
    ? { outcome: "secret", secret: value }
    : unreadable("it holds no token that a header can carry");
}

function unreadable(reason: string): StoredSecretOutcome {
  return { outcome: "unreadable", reason };
}
