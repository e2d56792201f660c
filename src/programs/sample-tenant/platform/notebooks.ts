import { createHash } from "node:crypto";
import { readdir, stat } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import type { Workspaces } from "../workspaces.ts";

/** The id under which the platform knows a notebook; it follows from where the notebook is. */
export function notebookIdOf(workspaceId: string, path: string): string {
  const digits = createHash("sha256").update(`${workspaceId}/${path}`).digest("hex");
  return [
    digits.slice(0, 8),
    digits.slice(8, 12),
    `4${digits.slice(13, 16)}`,
    `a${digits.slice(17, 20)}`,
    digits.slice(20, 32),
  ].join("-");
}

/** The notebooks of all workspaces that have files, with the dataflow of those that are scheduled. */
export async function listNotebooks(
  workspaces: Workspaces,
  dataflows: Readonly<Record<string, unknown>>,
): Promise<readonly Record<string, unknown>[]> {
  const lists = await Promise.all(workspaces.all.map(({ id }) => notebooksOf(workspaces, id, dataflows)));
  return lists.flat();
}

/** The notebooks of one workspace. */
export async function notebooksOf(
  workspaces: Workspaces,
  workspaceId: string,
  dataflows: Readonly<Record<string, unknown>>,
): Promise<readonly Record<string, unknown>[]> {
  const root = workspaces.contentRoot(workspaceId);
  const entries = await readdir(root, { recursive: true, withFileTypes: true }).catch(() => []);
  const files = entries.filter(
    (entry) => entry.isFile() && entry.name.endsWith(".ipynb") && !entry.parentPath.includes(`${sep}.`),
  );
  return await Promise.all(
    files.map(async (entry) => {
      const place = join(entry.parentPath, entry.name);
      const path = relative(root, place).replaceAll(sep, "/");
      const found = await stat(place);
      const id = notebookIdOf(workspaceId, path);
      const times = { created: found.ctime.toISOString(), updated: found.mtime.toISOString(), deleted: null };
      const dataflow = dataflows[id];
      const execution =
        dataflow === undefined ? null : { dataflowId: Number.parseInt(id.slice(0, 4), 16), notebookId: id, ...times };
      return { id, path, workspaceId, ...times, execution };
    }),
  );
}
