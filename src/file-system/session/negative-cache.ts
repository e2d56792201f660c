import { hasStatus } from "../../api/http/errors.ts";
import { notFound } from "../errors.ts";
import type { Knowledge } from "./listing-cache.ts";
import type { WorkspaceSession } from "./workspace-session.ts";

/**
 * A path of the kind that the editor tries without anybody having named it. Seen in a window of VS Code 1.139 that opens
 * on a folder, and then opens files of nine languages: `.vscode/*`, `.mcp.json`, `.claude/*`, `.github/agents`,
 * `.github/copilot/*`, `.vimrc`, `.config/nvim/*`, `.local/share/JetBrains/*`, `eclipse/eclipse`. All but the last, which is
 * looked for only once, have a dot in front.
 */
export function isProbe(path: string): boolean {
  return path.split("/").some((segment) => segment.startsWith("."));
}

/** What is known well enough to answer with; folders that the editor looks at once more are as it last saw them. */
export function seen(session: WorkspaceSession, path: string): Knowledge {
  const { cache } = session;
  const before = cache.lookUp(path, Number.POSITIVE_INFINITY);
  const isFolder = before.type === "present" && before.item.type === "directory";
  const isAgain = (isFolder || isProbe(path)) && session.isLookedAtAgain(path);
  return isAgain ? before : cache.lookUp(path);
}

/** Does the work; a 404 is the fault of a file system, and is remembered. */
export async function absentOr404<T>(session: WorkspaceSession, path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (hasStatus(error, 404)) {
      session.cache.learnAbsent(path);
      throw notFound(path);
    }
    throw error;
  }
}
