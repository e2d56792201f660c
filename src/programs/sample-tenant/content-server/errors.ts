import { errorMessage } from "../../../api/error-message.ts";
/** An error response with the body `{"message", "reason"}` of a content server. */
export class ContentError extends Error {
  readonly status: number;
  readonly reason: string | null;

  constructor(status: number, message: string, options: { readonly reason?: string } = {}) {
    super(message);
    this.status = status;
    this.reason = options.reason ?? null;
  }
}

const systemMessages: Readonly<Record<string, string>> = {
  ENOENT: "[Errno 2] No such file or directory",
  EACCES: "[Errno 13] Permission denied",
  EEXIST: "[Errno 17] File exists",
  ENOTDIR: "[Errno 20] Not a directory",
  EISDIR: "[Errno 21] Is a directory",
  ENOSPC: "[Errno 28] No space left on device",
  ENAMETOOLONG: "[Errno 36] File name too long",
  ENOTEMPTY: "[Errno 39] Directory not empty",
};

/** The code of a failed file system call, such as `ENOENT`. */
export function systemCode(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}

/** An error with a system code, for a condition that is detected before the call. */
export function systemError(code: string): Error {
  return Object.assign(new Error(code), { code });
}

/** Describes a failed file system call like a content server. */
export function describeSystemError(error: unknown, location: string): string {
  const code = systemCode(error);
  const known = code === undefined ? undefined : systemMessages[code];
  if (known !== undefined) {
    return `${known}: '${location}'`;
  }
  return errorMessage(error);
}

/** Quotes a text like a content server quotes paths. */
export function quoted(text: string): string {
  const escaped = text.replaceAll("\\", "\\\\").replaceAll("\n", "\\n").replaceAll("\r", "\\r");
  return escaped.includes("'") && !escaped.includes('"') ? `"${escaped}"` : `'${escaped.replaceAll("'", "\\'")}'`;
}
