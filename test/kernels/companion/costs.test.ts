// The requests and messages of each action with the companion, as docs/companion.md lists them.
import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { projectDirectory } from "../../../scripts/set-up/paths.ts";
import { listLinks } from "../../../src/api/companion/operations/links.ts";
import { listPackages, watchPackages } from "../../../src/api/companion/operations/packages.ts";
import { watchPorts } from "../../../src/api/companion/operations/ports.ts";
import { watchResources } from "../../../src/api/companion/operations/resources.ts";
import { searchFiles, searchText } from "../../../src/api/companion/operations/search.ts";
import {
  deleteVariables,
  listMembers,
  listVariableChildren,
  listVariables,
  readVariable,
  watchVariables,
} from "../../../src/api/companion/operations/variables.ts";
import { watchDirectories } from "../../../src/api/companion/operations/watch.ts";
import { endCompanion, type StartedCompanion, startCompanion } from "../../../src/api/companion/start.ts";
import { Tunnel } from "../../../src/api/companion/tunnel/tunnel.ts";
import { silentLog } from "../../../src/api/http/log.ts";
import { countedTransport } from "../../harness/counted-transport.ts";
import { type KernelRig, run, startRig } from "../rig.ts";

const listing = {
  ...{ folder: "", ignoreFolders: [], fileTypes: [], isRecursive: true, includesHidden: false },
  ...{ exclude: [], useIgnoreFiles: true },
};
const search = {
  ...listing,
  ...{ text: "text", isCaseSensitive: true, isRegularExpression: false },
  ...{ maxMatches: 10, maxPerFile: 10, maxBytes: 1000 },
};

describe("requests and messages of the companion", function () {
  this.timeout(180_000);
  let rig: KernelRig;

  before(async () => {
    rig = await startRig();
    await writeFile(join(rig.root, "a.txt"), "text");
    await writeFile(join(rig.root, "slow.txt"), `${"a".repeat(60)}!`);
  });
  after(() => rig.stop());

  it("are those that docs/companion.md lists", async () => {
    const counted = countedTransport();
    const client = rig.client(rig.token, counted.transport);
    const rows: string[] = [];
    const measure = async <Result>(action: string, work: () => Promise<Result>): Promise<Result> => {
      counted.take();
      const result = await work();
      const { requests, operations } = counted.take();
      const cells = [action, requests.toSorted().join(", "), operations.join(", ")];
      rows.push(`|${cells.map((cell) => (cell === "" ? " |" : ` ${cell} |`)).join("")}`);
      return result;
    };
    const start = (): Promise<StartedCompanion> => {
      const { signal } = new AbortController();
      // On a slow machine, it would also ask for the state of a kernel that takes long to start.
      const times = { starting: 600_000 };
      return startCompanion({ client: async () => client, owner: "costs", signal, log: silentLog, times });
    };
    const first = await measure("start a companion, or connect to the one of another window", start);
    const second = await measure("start a companion, or connect to the one of another window", start);
    assert.equal(rows[0], rows.pop());
    const { companion, sessionId } = first;
    await measure("search in all files", () => companion.request(searchText, search));
    await measure("list all files", () => companion.request(searchFiles, { ...listing, maxFiles: 100 }));
    await measure("cancel a search", async () => {
      const controller = new AbortController();
      const slow = { ...search, text: "(a+)+$", isRegularExpression: true };
      // It is canceled when it has begun: the first file was searched.
      const onPush = (): void => controller.abort(new Error("canceled"));
      await assert.rejects(companion.request(searchText, slow, { signal: controller.signal, onPush }), /canceled/);
    });
    const watched = await measure("watch directories", () =>
      companion.subscribe(watchDirectories, { directories: [""] }, { onPush: () => {}, onFailure: () => {} }),
    );
    watched.dispose();
    await measure("list the links of a folder", () => companion.request(listLinks, { folder: "" }));
    const listed = { filter: "", sort: "name" as const, includesAll: false, offset: 0, count: 200 };
    const reported = Promise.withResolvers<void>();
    await measure("show the variables of a kernel", async () => {
      const listener = { onPush: () => reported.resolve(), onFailure: () => {} };
      await companion.subscribe(watchVariables, {}, listener);
      await companion.request(listVariables, listed);
    });
    await measure("read them again after a cell", async () => {
      const notebook = await rig.connect(companion.kernelId);
      await run(notebook, "answer = [42]");
      notebook.dispose();
      await notebook.closed;
      await reported.promise;
      await companion.request(listVariables, listed);
    });
    const path = [{ kind: "name" as const, at: "answer" }];
    await measure("expand a variable", () => companion.request(listVariableChildren, { path, offset: 0, count: 200 }));
    await measure("copy its value", () => companion.request(readVariable, { path }));
    await measure("delete it", () => companion.request(deleteVariables, { names: ["answer"] }));
    await measure("complete a live value", () =>
      companion.request(listMembers, { expression: "answer", kind: "attribute" }),
    );
    const resources = await measure("show the memory of kernels", () =>
      companion.subscribe(watchResources, {}, { onPush: () => {}, onFailure: () => {} }),
    );
    resources.dispose();
    const tunnel = await measure("connect to a forwarded port", async () => {
      const opened = await Tunnel.open(companion);
      // Nothing listens there.
      await assert.rejects(opened.connect(1).toArray());
      return opened;
    });
    tunnel.dispose();
    const ports = await measure("follow the ports on which programs listen", () =>
      companion.subscribe(watchPorts, {}, { onPush: () => {}, onFailure: () => {} }),
    );
    ports.dispose();
    const packages = await measure("show the packages of an environment", async () => {
      await companion.request(listPackages, {});
      return companion.subscribe(watchPackages, {}, { onPush: () => {}, onFailure: () => {} });
    });
    packages.dispose();
    for (const one of [first, second]) {
      one.companion.dispose();
      await one.companion.closed;
    }
    await measure("end it, as the last window", () =>
      endCompanion(async () => client, { sessionId, kernelId: companion.kernelId }, { isForced: false }),
    );
    await counted.transport.close();
    const page = await readFile(join(projectDirectory, "docs", "companion.md"), "utf8");
    const kept = page.split("\n").filter((line) => rows.some((row) => line.startsWith(row.slice(0, 12))));
    assert.deepEqual(rows, kept);
  });
});
