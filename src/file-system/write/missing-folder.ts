import { parentOf } from "../../api/catalogue/content-path.ts";
import type { MetadataReader } from "../read/directory-reader.ts";

/**
 * The folder of a path if the server reports that it does not exist. Undefined if it exists, or if that can't be
 * determined.
 */
export async function missingFolderOf(
  metadata: Pick<MetadataReader, "statContent">,
  path: string,
): Promise<string | undefined> {
  const folder = parentOf(path);
  const isMissing = folder !== "" && (await metadata.statContent(folder).catch(() => "unknown")) === undefined;
  return isMissing ? folder : undefined;
}
