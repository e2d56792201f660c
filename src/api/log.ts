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

/** Headers with the values of secret ones removed. */
export function withoutSecretHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, secretNames.test(name) ? "[redacted]" : value]),
  );
}

/**
 * A text with the given secret and the values of secret-looking JSON fields and query parameters removed: bodies and
 * server messages can repeat what was sent to them.
 */
export function withoutSecrets(text: string, secret: string): string {
  const known = secret === "" ? text : text.replaceAll(secret, "[redacted]");
  return known
    .replace(/("[^"]*(?:token|secret|password|credential)[^"]*"\s*:\s*)"(?:[^"\\]|\\.)*"/gi, '$1"[redacted]"')
    .replace(/([?&][^=&\s"]*(?:token|secret|password)[^=&\s"]*=)[^&\s"]+/gi, "$1[redacted]");
}
