import type { BranchListing as Listing } from "../../../src/ui/tree/listing.ts";
import "../../harness/editor-stand-in/register.ts";
import { foundPages, PageHierarchy } from "../../../src/api/families/pages/page-hierarchy.ts";
import { readPageTree } from "../../../src/api/families/pages/pages.ts";
import { type FakePlatform, fakePlatform, json } from "../../unit/api/fake-platform.ts";
import { processorTime, type ScaleRow } from "./row.ts";

/** A platform with app designs, which it lists page by page. `rounds`: how often it was idle before a request. */
function designPlatform(count: number): FakePlatform & { readonly rounds: () => number } {
  let [rounds, running] = [0, 0];
  const fake = fakePlatform(async (request) => {
    rounds += running === 0 ? 1 : 0;
    running += 1;
    await new Promise(setImmediate);
    running -= 1;
    const { searchParams } = new URL(request.path, "http://x");
    const [limit, offset] = [Number(searchParams.get("limit")), Number(searchParams.get("offset"))];
    const designs = Array.from({ length: Math.min(limit, count - offset) }, (_, index) => ({
      id: `design-${offset + index}`,
      name: `Design ${offset + index}`,
      versions: [],
    }));
    return json(200, designs);
  });
  return { ...fake, rounds: () => rounds };
}

async function loadAll({ platform }: FakePlatform): Promise<Listing<{ type: string; tenantId: string; key: string }>> {
  const { designsBranch } = await import("../../../src/features/designs/tree.ts");
  const { BranchListing } = await import("../../../src/ui/tree/listing.ts");
  const branch = designsBranch("acme");
  const listing = new BranchListing({ branch, connect: async () => platform, onChange: () => {} });
  await listing.ensure("");
  await listing.all(new AbortController().signal, () => {});
  return listing;
}

const designs: ScaleRow = {
  name: "designs",
  what: "load all app designs",
  unit: "ms of the processor",
  smallest: 150,
  measure: (size) => processorTime(() => loadAll(designPlatform(size))),
};

const designRounds: ScaleRow = {
  name: "designRounds",
  what: "load all app designs",
  unit: "rounds of requests",
  smallest: 150,
  measure: async (size) => {
    const fake = designPlatform(size);
    const { rows } = await loadAll(fake);
    if (rows.length !== size) {
      throw new Error(`The list has ${rows.length} rows, not ${size}.`);
    }
    return fake.rounds();
  },
};

/** Each page is below the one before. */
const pages: ScaleRow = {
  name: "pages",
  what: "read, place, and search a chain of pages",
  unit: "ms of the processor",
  smallest: 200,
  measure: async (size) => {
    const open = Array.from({ length: size }, (_, id) => `{"id":${id},"title":"Page ${id}","children":[`);
    const text = `[${open.join("")}${"]}".repeat(size)}]`;
    const { platform } = fakePlatform(() => ({ status: 200, headers: {}, body: Buffer.from(text) }));
    return processorTime(async () => {
      const top = await readPageTree(platform);
      const { places } = new PageHierarchy(top);
      if (places.length !== size || foundPages(top, `page ${size - 1}`).length !== 1) {
        throw new Error(`The hierarchy has ${places.length} pages, not ${size}.`);
      }
    });
  },
};

export const treeRows: readonly ScaleRow[] = [designs, designRounds, pages];
