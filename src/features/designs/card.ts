import * as vscode from "vscode";
import type { Design } from "../../api/catalogue/models/designs.ts";
import type { PlatformClient } from "../../api/client/client.ts";
import { readDesignAssets } from "../../api/families/design-assets.ts";
import { versionsOf } from "../../api/families/designs.ts";
import { causeOf } from "../../api/http/errors.ts";
import { absoluteDate, isoDate } from "../../ui/format/dates.ts";
import { card } from "../../ui/tree/card.ts";
import { type DesignRow, newestFirst } from "./rows.ts";

/** The editor cuts a card off after 100,000 characters. */
const mostImageCharacters = 80_000;
const imageTypes: readonly (readonly [type: string, pattern: RegExp])[] = [
  ["image/png", /^iVBORw0KGgo/],
  ["image/jpeg", /^\/9j\//],
  ["image/gif", /^R0lGOD/],
];

/** The card of a design, with its thumbnail where it has one. */
export async function designCard(
  { design, tenantId, resource }: DesignRow,
  page: string | undefined,
  client: PlatformClient,
  signal: AbortSignal,
): Promise<vscode.MarkdownString> {
  const image = await thumbnailOf(client, tenantId, design);
  signal.throwIfAborted();
  const owners = (design.owners ?? []).flatMap(({ displayName }) => displayName ?? []);
  const date = (value: string | number | null | undefined): string | undefined =>
    absoluteDate(isoDate(value), vscode.env.language);
  return card({
    name: resource.name,
    description: design.description ?? undefined,
    image,
    lines: [
      [vscode.l10n.t("Latest version"), latestOf(design)],
      [vscode.l10n.t("Owners"), owners.join(", ")],
      [vscode.l10n.t("Creator"), design.creator?.displayName ?? undefined],
      [vscode.l10n.t("Updated"), date(design.updatedDate)],
      [vscode.l10n.t("Created"), date(design.createdDate)],
      [vscode.l10n.t("Id"), design.id],
    ],
    page,
  });
}

function latestOf(design: Design): string | undefined {
  return design.latestVersion ?? newestFirst(versionsOf(design.versions))[0]?.version;
}

/** Nobody waits for more behind a card: 4 MiB. */
const thumbnailLimits = { bytes: 4 * 1024 * 1024, entries: 2000 };
const mostThumbnails = 100;
const thumbnails = new Map<string, Promise<string | undefined>>();

/** The thumbnail as a `data:` address: what the design's answer brings, else the image among the latest version's files. */
async function thumbnailOf(client: PlatformClient, tenantId: string, design: Design): Promise<string | undefined> {
  const told = typeof design.thumbnail === "string" ? dataAddress(design.thumbnail) : undefined;
  const version = latestOf(design);
  if (told !== undefined || design.hasThumbnail !== true || version === undefined) {
    return told;
  }
  const key = [tenantId, design.id, version].join("/");
  const known = thumbnails.get(key) ?? readThumbnail(client, design.id, version, () => thumbnails.delete(key));
  thumbnails.delete(key);
  thumbnails.set(key, known);
  for (const oldest of thumbnails.keys()) {
    if (thumbnails.size <= mostThumbnails) {
      break;
    }
    thumbnails.delete(oldest);
  }
  return known;
}

/** A version without a thumbnail, or with a large source, has none; only after another failure it is asked for again. */
async function readThumbnail(
  client: PlatformClient,
  designId: string,
  version: string,
  forget: () => void,
): Promise<string | undefined> {
  const files = await readDesignAssets(client, { designId, version }, thumbnailLimits).catch((error: unknown) => {
    if (causeOf(error)?.type !== "receiver") {
      forget();
    }
    return undefined;
  });
  const [, content] = [...(files ?? [])].find(([path]) => /(?:^|\/)thumbnail\.(?:png|jpe?g|gif)$/i.test(path)) ?? [];
  return content === undefined ? undefined : dataAddress(Buffer.from(content).toString("base64"));
}

/** A small image as a `data:` address, whether it came as such or in base64. */
function dataAddress(text: string): string | undefined {
  if (text.length > mostImageCharacters) {
    return undefined;
  }
  if (/^data:image\/(?:png|jpeg|gif);base64,[\w+/=]+$/.test(text)) {
    return text;
  }
  const type = imageTypes.find(([, pattern]) => pattern.test(text))?.[0];
  return type === undefined || !/^[\w+/=]+$/.test(text) ? undefined : `data:${type};base64,${text}`;
}
