import { LRUCache } from "lru-cache";
import type { Design } from "../../api/catalogue/models/designs.ts";
import type { AccountValue } from "../../api/client/account-scope.ts";
import type { PlatformClient } from "../../api/client/client.ts";
import { readDesignAssets } from "../../api/families/design-assets.ts";
import { causeOf } from "../../api/http/errors.ts";
import { latestVersionOf } from "./versions.ts";

/** The editor truncates a card after 100,000 characters. */
const maxImageCharacters = 80_000;
const imageTypes: readonly (readonly [type: string, pattern: RegExp])[] = [
  ["image/png", /^iVBORw0KGgo/],
  ["image/jpeg", /^\/9j\//],
  ["image/gif", /^R0lGOD/],
];
/** Limits of a download for a card: 4 MiB. */
const thumbnailLimits = { bytes: 4 * 1024 * 1024, entries: 2000 };
const maxThumbnails = 100;
const thumbnailsOfAccount: AccountValue<LRUCache<string, Promise<string | undefined>>> = {
  create: () => new LRUCache({ max: maxThumbnails }),
};

/** The thumbnail as a `data:` address: from the design's response, or from the latest version's files. */
export async function thumbnailOf(client: PlatformClient, design: Design): Promise<string | undefined> {
  const inline = typeof design.thumbnail === "string" ? dataAddress(design.thumbnail) : undefined;
  const version = latestVersionOf(design);
  if (inline !== undefined || design.hasThumbnail !== true || version === undefined) {
    return inline;
  }
  const key = [design.id, version].join("/");
  const thumbnails = client.account.get(thumbnailsOfAccount);
  const thumbnail = thumbnails.get(key) ?? readThumbnail(client, design.id, version, () => thumbnails.delete(key));
  thumbnails.set(key, thumbnail);
  return thumbnail;
}

/**
 * Undefined for a version without a thumbnail or with a large source. After other failures, the next card tries again.
 */
async function readThumbnail(
  client: PlatformClient,
  designId: string,
  version: string,
  onFailure: () => void,
): Promise<string | undefined> {
  const files = await readDesignAssets(client, { designId, version }, thumbnailLimits).catch((error: unknown) => {
    if (causeOf(error)?.type !== "receiver") {
      onFailure();
    }
    return undefined;
  });
  const [, content] = [...(files ?? [])].find(([path]) => /(?:^|\/)thumbnail\.(?:png|jpe?g|gif)$/i.test(path)) ?? [];
  return content === undefined ? undefined : dataAddress(Buffer.from(content).toString("base64"));
}

/** A small image as a `data:` address, from a `data:` address or from Base64. */
function dataAddress(text: string): string | undefined {
  if (text.length > maxImageCharacters) {
    return undefined;
  }
  if (/^data:image\/(?:png|jpeg|gif);base64,[\w+/=]+$/.test(text)) {
    return text;
  }
  const type = imageTypes.find(([, pattern]) => pattern.test(text))?.[0];
  return type === undefined || !/^[\w+/=]+$/.test(text) ? undefined : `data:${type};base64,${text}`;
}
