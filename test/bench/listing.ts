import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { walkConcurrency } from "../../src/api/content-server/concurrency.ts";
import { listRecursively } from "../../src/api/content-server/listing.ts";
import { withClient, withSlowServer } from "./content-place.ts";

export interface ListingFigures {
  readonly folders: number;
  readonly roundTrip: number;
  readonly seconds: number;
  /** Folders / requests in flight x round trip: no client can be faster. */
  readonly limitSeconds: number;
  readonly ratio: number;
}

const folders = 5_000;
const roundTrip = 50;
const foldersInOne = 50;

/** Lists a tree of 5,000 folders with the API layer, at a round trip of 50 ms. */
export async function measureListing(): Promise<ListingFigures> {
  return withSlowServer(roundTrip, async (server) => {
    await makeTree(join(server.root, "tree"));
    return withClient(server, async (client) => {
      const started = performance.now();
      const items = await listRecursively(client, { contentPath: "tree" });
      const seconds = (performance.now() - started) / 1000;
      const found = items.filter(({ type }) => type === "directory").length;
      if (found !== folders) throw new Error(`the listing found ${found} of ${folders} folders`);
      const limitSeconds = ((folders / walkConcurrency) * roundTrip) / 1000;
      return { folders, roundTrip, seconds, limitSeconds, ratio: seconds / limitSeconds };
    });
  });
}

/** A folder with folders of up to 50 folders: 5,000 in total, with a file in each. */
async function makeTree(root: string): Promise<void> {
  await mkdir(root, { recursive: true });
  for (let made = 1, group = 0; made < folders; group += 1) {
    const parent = join(root, `group-${group}`);
    await mkdir(parent);
    made += 1;
    for (let inner = 0; inner < foldersInOne && made < folders; inner += 1, made += 1) {
      await mkdir(join(parent, `folder-${inner}`));
      await writeFile(join(parent, `folder-${inner}`, "notes.txt"), "text\n");
    }
  }
}
