/** Where the API layer writes its lines; a VS Code log channel fits. */
export interface Log {
  info(line: string): void;
  debug(line: string): void;
  trace(line: string): void;
  warn(line: string): void;
  error(line: string): void;
}

function ignore(): void {}

/** A log that keeps nothing. */
export const silentLog: Log = { info: ignore, debug: ignore, trace: ignore, warn: ignore, error: ignore };

const secretNames = /(authorization|cookie|token|secret|password|credential|developer)/i;

/** Headers with the values of secret ones removed, and the given secret from all others. */
export function withoutSecretHeaders(
  headers: Readonly<Record<string, string>>,
  secret: string,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      secretNames.test(name) ? "[redacted]" : withoutSecrets(value, secret),
    ]),
  );
}

/** The beginning of a body as text without secrets: at most so many characters, none of them of a secret cut in two. */
export function beginningOf(body: Uint8Array, length: number, secret: string): string {
  const spare = 3 * secret.length;
  return withoutSecrets(new TextDecoder().decode(body.subarray(0, length + spare)), secret).slice(0, length);
}

/**
 * A text with the given secret and the values of secret-looking JSON fields and query parameters removed: bodies and
 * server messages can repeat what was sent to them.
 */
export function withoutSecrets(text: string, secret: string): string {
  const forms = secret === "" ? [] : [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)];
  return forms
    .reduce((cleaned, form) => cleaned.replaceAll(form, "[redacted]"), text)
    .replace(/("[^"]*(?:token|secret|password|credential)[^"]*"\s*:\s*)"(?:[^"\\]|\\.)*"/gi, '$1"[redacted]"')
    .replace(/([?&][^=&\s"]*(?:token|secret|password)[^=&\s"]*=)[^&\s"]+/gi, "$1[redacted]");
}
