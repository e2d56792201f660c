import type { ContentReader } from "../read/content-reader.ts";
import type { SavedCopy } from "../session/open-documents.ts";
import { type ContentVersion, isSameVersion } from "../versions/content-version.ts";
import type { EditorVersions } from "../versions/editor-versions.ts";

interface SameContentParts {
  readonly contents: Pick<ContentReader, "peek">;
  readonly versions: Pick<EditorVersions, "baseContent" | "merged" | "verdict">;
}

/**
 * Records a merge without effect for a copy whose content the server has already, although the copy is based on another
 * version. Its save asks nothing then, but Undo can remove what someone else has done, too.
 */
export async function mergeSameContent(
  { contents, versions }: SameContentParts,
  { path, content, server }: { readonly path: string; readonly content: Uint8Array; readonly server: ContentVersion },
  saving: readonly SavedCopy[],
): Promise<void> {
  for (const { kind, key, shown } of saving) {
    const verdict = versions.verdict(path, server, kind, key);
    const isShown = shown !== undefined && versions.verdict(path, server, shown.kind, shown.key) === "same";
    if (isShown && verdict === "conflict") {
      const bytes = versions.baseContent(path, shown.kind, shown.key);
      versions.merged(path, server, { from: shown.content, to: shown.content, bytes }, kind);
    } else if (verdict === "replace" && key !== undefined && server.size === content.byteLength) {
      // The editor has compared the contents and asks nothing.
      const now = await contents.peek(path).catch(() => undefined);
      if (now !== undefined && isSameVersion(now.version, server) && Buffer.compare(now.bytes, content) === 0) {
        versions.merged(path, now.version, { from: [key], to: [key], bytes: now.bytes }, kind);
      }
    }
  }
}
