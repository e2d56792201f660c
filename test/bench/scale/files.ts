import type { ContentItem } from "../../../src/api/catalogue/models/contents.ts";
import { DirectoryPolling } from "../../../src/file-system/watch/directory-polling.ts";
import { SimulatedClock } from "../../unit/file-system/simulated-clock.ts";
import type { ScaleRow } from "./row.ts";

const entriesPerFolder = 1_000;

function item(path: string, type: "file" | "directory"): ContentItem {
  return { name: path.slice(path.lastIndexOf("/") + 1), path, type, content: null, last_modified: null, size: 1 };
}

/** Entries that are listed at once when the window gets the focus, by the number of watched entries. */
const focus: ScaleRow = {
  name: "focus",
  what: "focus a window with watched folders of 1,000 files, entries",
  unit: "entries listed at once",
  smallest: entriesPerFolder,
  measure: async (size) => {
    const folders = Array.from({ length: size / entriesPerFolder }, (_, index) => `folder${index}`);
    const children = Array.from({ length: entriesPerFolder }, (_, index) => item(`file${index}`, "file"));
    const clock = new SimulatedClock();
    let listed = 0;
    const polling = new DirectoryPolling(
      {
        directories: () => folders,
        isVisible: () => false,
        list: async () => {
          listed += entriesPerFolder;
          return { type: "same" };
        },
        known: () => ({ children, etag: "1" }),
        item: () => undefined,
        learn: () => {},
        learnAbsent: () => {},
        revision: () => 0,
        outdated: () => [],
        report: () => {},
        classify: () => "later",
      },
      clock,
      false,
    );
    polling.update();
    await clock.pass(60_000);
    polling.focusChanged(true);
    await clock.pass(0);
    polling.dispose();
    return listed;
  },
};

export const fileRows: readonly ScaleRow[] = [focus];
