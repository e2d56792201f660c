import type { OpenEditors } from "../../src/file-system/session/open-documents.ts";
import type { CopyKind } from "../../src/file-system/versions/editor-versions.ts";

/** A window without open files. */
export const noEditors: OpenEditors = editorsOf(new Set(), new Set());

/** A window with these files, each in its usual editor. `dirty`: those with unsaved changes. */
export function editorsOf(open: ReadonlySet<string>, dirty: ReadonlySet<string>): OpenEditors {
  const kindOf = (path: string): CopyKind => (path.endsWith(".ipynb") ? "notebook" : "text");
  return {
    isOpen: (path) => open.has(path),
    isDirty: (path) => dirty.has(path),
    unsaved: (path) => (dirty.has(path) ? [kindOf(path)] : []),
    saving: (path) => (dirty.has(path) ? [{ kind: kindOf(path) }] : []),
  };
}
