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
