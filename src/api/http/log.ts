/** The log of the API layer. A VS Code log channel has the same methods. */
export interface Log {
  info(line: string): void;
  debug(line: string): void;
  trace(line: string): void;
  warn(line: string): void;
  error(line: string): void;
}

function ignore(): void {}

/** A log that discards everything. */
export const silentLog: Log = { info: ignore, debug: ignore, trace: ignore, warn: ignore, error: ignore };
