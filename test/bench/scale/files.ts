import "../../harness/editor-stand-in/register.ts";
import type { ContentItem } from "../../../src/api/catalogue/models/contents.ts";
import type { Transport } from "../../../src/api/http/transport.ts";
import { DirectoryPoller } from "../../../src/file-system/watch/directory-poller.ts";
import { SimulatedClock } from "../../unit/file-system/simulated-clock.ts";
import { processorTime, type ScaleRow } from "./row.ts";

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
    const polling = new DirectoryPoller(
      {
        directories: () => folders,
        isVisible: () => false,
        list: async () => {
          listed += entriesPerFolder;
          return { type: "same" };
        },
        known: () => ({ children, etag: "1" }),
        item: () => undefined,
        setListing: () => {},
        setAbsent: () => {},
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

/** A content server with one folder, in this process. */
function folderTransport(names: readonly string[]): Transport {
  return {
    send: async ({ url }) => {
      const isFolder = /\/api\/contents\/folder\b/.test(url.pathname);
      const children = names.map((name) => item(`folder/${name}`, "file"));
      const folder = { ...item("folder", "directory"), content: children, format: "json" };
      return { status: isFolder ? 200 : 404, headers: {}, body: Buffer.from(JSON.stringify(isFolder ? folder : {})) };
    },
    close: async () => {},
  };
}

/** Requests of the editor that arrive in one turn of the event loop. */
const requestsPerTurn = 500;

/** All at once, as the editor requests it for the rows of the Explorer. */
const stat: ScaleRow = {
  name: "stat",
  what: "status of all files of a listed folder at once",
  unit: "ms of the processor",
  smallest: 1_000,
  measure: async (size) => {
    const { FilesClient } = await import("../../faults/client.ts");
    const names = Array.from({ length: size }, (_, index) => `file${index}`);
    const place = { origin: "http://127.0.0.1:9", prefix: "/", token: "a-token-of-the-benchmark" };
    const client = await FilesClient.connect(place, { transport: folderTransport(names) });
    const uris = names.map((name) => client.uri(`folder/${name}`));
    return processorTime(async () => {
      client.refresh();
      await client.files.readDirectory(client.uri("folder"));
      const statuses: Promise<unknown>[] = [];
      for (const uri of uris) {
        statuses.push(Promise.resolve(client.files.stat(uri)));
        if (statuses.length % requestsPerTurn === 0) {
          await new Promise(setImmediate);
        }
      }
      await Promise.all(statuses);
    });
  },
};

export const fileRows: readonly ScaleRow[] = [focus, stat];
