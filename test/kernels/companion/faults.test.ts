// What a feature gets in each case in which a workspace has no companion, or loses it: one sentence, and no loop.
import assert from "node:assert/strict";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { projectDirectory, resultsDirectory } from "../../../scripts/set-up/paths.ts";
import type { Companion } from "../../../src/api/companion/companion.ts";
import { CompanionUnavailableError } from "../../../src/api/companion/errors.ts";
import { companionInformation } from "../../../src/api/companion/operations/program.ts";
import { searchText } from "../../../src/api/companion/operations/search.ts";
import type { DispatchResponse } from "../../../src/api/http/dispatch.ts";
import { PlatformError } from "../../../src/api/http/errors.ts";
import { silentLog } from "../../../src/api/http/log.ts";
import { createTransport, type Transport } from "../../../src/api/http/transport.ts";
import { WorkspaceCompanion } from "../../../src/features/companion/workspace-companion.ts";
import { leaseFilesIn } from "../../../src/tenants/lease-files.ts";
import { until } from "../../harness/until.ts";
import { type KernelRig, startRig } from "../rig.ts";

/** What the server does in place of its own response; undefined for its own. */
type Intercept = (path: string, method: string) => { readonly status: number; readonly body: object } | undefined;

interface Window {
  readonly companion: WorkspaceCompanion;
  /** The reasons with which it stayed off. */
  readonly off: readonly string[];
  /** Number of requests to open its session. */
  readonly starts: () => number;
  pass(milliseconds: number): void;
}

interface Fault {
  readonly name: string;
  readonly intercept?: Intercept;
  /** The kernel that the server starts; `python3` by default. */
  readonly kernel?: string;
  /** Breaks a companion that runs. Returns what the feature sees. */
  readonly strike?: (companion: Companion, rig: KernelRig) => Promise<string>;
}

const listing = { folder: "", ignoreFolders: [], fileTypes: [], isRecursive: true, includesHidden: false };
const slowSearch = {
  ...{ ...listing, exclude: [], useIgnoreFiles: true, maxMatches: 10, maxPerFile: 10, maxBytes: 1000 },
  ...{ text: "(a+)+$", isCaseSensitive: true, isRegularExpression: true },
};

async function processOf(companion: Companion): Promise<number> {
  return (await companion.request(companionInformation, {})).process;
}

async function outcomeOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => "*nothing*: it continues",
    (error: unknown) => (error instanceof Error ? `${error.name}: ${error.message}` : String(error)),
  );
}

const faults: readonly Fault[] = [
  {
    name: "the server has no kernels",
    intercept: (path) => (path === "/api/kernelspecs" ? { status: 404, body: { message: "Not found" } } : undefined),
  },
  {
    name: "the server has only a kernel for R",
    intercept: (path) =>
      path === "/api/kernelspecs"
        ? { status: 200, body: { default: "ir", kernelspecs: { ir: { spec: { display_name: "R", language: "R" } } } } }
        : undefined,
  },
  { name: "its Python is older than 3.8", kernel: "old-python" },
  { name: "its ipykernel is older than 6", kernel: "old-ipykernel" },
  { name: "its Python kernel isn't IPython's", kernel: "other-python" },
  { name: "the kernel ends while it starts", kernel: "broken" },
  {
    name: "the server refuses to start a kernel (403)",
    intercept: (path, method) =>
      path === "/api/sessions" && method === "POST" ? { status: 403, body: { message: "Forbidden" } } : undefined,
  },
  {
    name: "the server fails to start a kernel (500)",
    intercept: (path, method) =>
      path === "/api/sessions" && method === "POST" ? { status: 500, body: { message: "No memory" } } : undefined,
  },
  {
    name: "the kernel sees other files than the content server",
    intercept: (path) =>
      path === "/api/contents/" || path === "/api/contents"
        ? { status: 200, body: { name: "", path: "", type: "directory", content: [item("elsewhere.txt")] } }
        : undefined,
  },
  {
    name: "the companion is killed, for example because memory is full",
    strike: async (companion) => {
      const ended = Promise.withResolvers<string>();
      companion.onEnd((reason) => ended.resolve(String(reason)));
      process.kill(await processOf(companion), "SIGKILL");
      return ended.promise;
    },
  },
  {
    name: "the companion is killed during a search",
    strike: async (companion) => {
      const search = outcomeOf(companion.request(searchText, slowSearch));
      process.kill(await processOf(companion), "SIGKILL");
      return search;
    },
  },
  {
    name: "the companion's kernel is shut down in JupyterLab",
    strike: async (companion, rig) => {
      const ended = Promise.withResolvers<string>();
      companion.onEnd((reason) => ended.resolve(String(reason)));
      await rig.server.shutDown(companion.kernelId);
      return ended.promise;
    },
  },
  {
    name: "the connection breaks during a request",
    strike: async (companion, rig) => {
      const request = outcomeOf(companion.request(companionInformation, {}));
      rig.proxy.cut();
      return request;
    },
  },
];

function item(name: string): object {
  return { name, path: name, type: "file", content: null, format: null, mimetype: null, writable: true };
}

describe("faults of the companion", function () {
  this.timeout(240_000);
  let rig: KernelRig;
  let storage: string;
  const rows: string[] = [];
  const transports: Transport[] = [];

  before(async () => {
    rig = await startRig(["--KernelRestarter.restart_limit=1", "--KernelRestarter.time_to_dead=0.2"]);
    storage = await mkdtemp(join(tmpdir(), "companion-faults-"));
    await writeFile(join(rig.root, "slow.txt"), `${"a".repeat(60)}!`);
    const launch = "from ipykernel.kernelapp import launch_new_instance";
    const old = `import sys; ${launch}; sys.version_info = (3, 7, 9, 'final', 0); launch_new_instance()`;
    const oldKernel = `import ipykernel; ipykernel.version_info, ipykernel.__version__ = (5, 5, 6), '5.5.6'; ${launch}`;
    const other = "from ipykernel.ipkernel import IPythonKernel; IPythonKernel.implementation = 'other'";
    const python = (code: string): readonly string[] => ["python", "-c", code, "-f", "{connection_file}"];
    await addKernel(rig, "old-python", python(old));
    await addKernel(rig, "old-ipykernel", python(`${oldKernel}; launch_new_instance()`));
    await addKernel(rig, "other-python", python(`${other}; ${launch}; launch_new_instance()`));
    await addKernel(rig, "broken", ["false"]);
  });
  after(async () => {
    await Promise.all(transports.map((transport) => transport.close()));
    await rm(storage, { recursive: true, force: true });
    await rig.stop();
  });

  function open(name: string, { intercept, kernel }: Omit<Fault, "name">, leases = leaseFilesIn(storage)): Window {
    let now = 0;
    let starts = 0;
    const off: string[] = [];
    const real = createTransport({ sleep: async () => {} });
    transports.push(real);
    const specs = { default: kernel, kernelspecs: { [kernel ?? ""]: { spec: { language: "python" } } } };
    const transport: Transport = {
      ...real,
      send: async (request) => {
        const path = request.url.pathname;
        starts += path === "/api/sessions" && request.method === "POST" ? 1 : 0;
        const own =
          intercept?.(path, request.method) ??
          (kernel !== undefined && path === "/api/kernelspecs" ? { status: 200, body: specs } : undefined);
        return own === undefined ? real.send(request) : responseOf(own);
      },
    };
    const client = rig.client(rig.token, transport);
    const companion = new WorkspaceCompanion({
      client: async () => client,
      owner: name,
      leases,
      leaseKey: name,
      presence: { isPresent: true, onChange: () => ({ dispose: () => {} }) },
      log: silentLog,
      now: () => now,
      onChange: () => {},
      onOff: (reason) => void off.push(String(reason)),
    });
    return {
      companion,
      off,
      starts: () => starts,
      pass: (milliseconds) => {
        now += milliseconds;
      },
    };
  }

  /** The reason why a feature does without a companion. */
  async function refusalOf(
    companion: WorkspaceCompanion,
  ): Promise<{ readonly obstacle: string; readonly text: string }> {
    try {
      await companion.get(undefined);
    } catch (error) {
      assert.ok(error instanceof CompanionUnavailableError || error instanceof PlatformError, String(error));
      return { obstacle: error instanceof PlatformError ? "refused" : error.obstacle, text: error.message };
    }
    return { obstacle: "none", text: "" };
  }

  for (const [index, fault] of faults.entries()) {
    it(fault.name, async () => {
      const window = open(`fault-${index}`, fault);
      const { companion } = window;
      let seen: string;
      if (fault.strike === undefined) {
        seen = (await refusalOf(companion)).text;
        // It isn't tried again at once, and the reason is the same.
        const starts = window.starts();
        assert.deepEqual(await refusalOf(companion), { obstacle: "off", text: seen });
        assert.equal(window.starts(), starts);
      } else {
        seen = await fault.strike(await companion.get(undefined), rig);
      }
      const next = await nextStartOf(window);
      rows.push(`| ${fault.name} | ${seen} | ${next} | ${window.off.length === 0 ? "" : "once"} |`);
      await companion.leave();
    });
  }

  /** When it is tried again, in words. Fails if it is never off. */
  async function nextStartOf({ companion, pass, off }: Window): Promise<string> {
    const first = await refusalOf(companion);
    if (first.obstacle === "none") {
      return "";
    }
    pass(30_000);
    const second = await refusalOf(companion);
    if (second.obstacle === "none") {
      return "after 30 s: it works";
    }
    if (second.obstacle === "off") {
      return "when asked";
    }
    pass(120_000);
    assert.notEqual((await refusalOf(companion)).obstacle, "none");
    pass(3_600_000);
    assert.equal((await refusalOf(companion)).obstacle, "off");
    assert.equal(off.length, 1);
    return "after 30 s, after 2 min, then when asked";
  }

  it("is ended if it is left at the end of its start, before others may start it", async () => {
    const files = leaseFilesIn(storage);
    const [releasing, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const release: typeof files.release = async (...lease) => {
      releasing.resolve();
      await released.promise;
      await files.release(...lease);
    };
    const { companion } = open("left", {}, { ...files, release });
    const start = companion.get(undefined).then(
      ({ end }) => end,
      () => "refused",
    );
    await releasing.promise;
    const left = companion.leave();
    released.resolve();
    await left;
    assert.notEqual(await start, undefined);
    assert.equal(companion.running, undefined);
  });

  it("starts again if that is asked for while it starts", async () => {
    const { companion, starts } = open("again", {});
    const first = assert.rejects(companion.get(undefined));
    await until("the start", () => starts() === 1);
    await companion.restart();
    await first;
    assert.notEqual(companion.running, undefined);
    await companion.leave();
  });

  it("no kernel is left", async () => {
    await until("the end of all kernels", async () => (await rig.server.kernels()).length === 0);
  });

  it("docs/reference/companion-faults.md lists the outcomes", async () => {
    const page = [head, ...rows, ""].join("\n");
    await mkdir(resultsDirectory, { recursive: true });
    await writeFile(join(resultsDirectory, "companion-faults.md"), page);
    const kept = await readFile(join(projectDirectory, "docs", "reference", "companion-faults.md"), "utf8");
    const advice =
      "Look at test-results/companion-faults.md: where it is right, it replaces docs/reference/companion-faults.md.";
    assert.deepEqual(page.split("\n"), kept.split("\n"), advice);
  });
});

const head = `# The companion: failure modes and outcomes

What a feature gets when a workspace can't have a companion, or loses it, and when the next request starts one again. A feature
then uses the contents API. \`npm test -- kernels\` generates this page with a real Jupyter Server.

- **Reason**: the sentence that the feature gets.
- **Next start**: when a feature's request starts a companion again. "When asked": by a command, or after the workspace was
  started again. Until then, features get the same reason without any request.
- **Message**: how often a message reports that it stays off.

| fault | reason | next start | message |
|---|---|---|---|`;

async function addKernel(rig: KernelRig, name: string, argv: readonly string[]): Promise<void> {
  const directory = join(rig.homeDirectory, "jupyter-data", "kernels", name);
  await mkdir(directory, { recursive: true });
  await writeFile(join(directory, "kernel.json"), JSON.stringify({ argv, display_name: name, language: "python" }));
}

function responseOf({ status, body }: { readonly status: number; readonly body: object }): DispatchResponse {
  return { status, headers: { "content-type": "application/json" }, body: Buffer.from(JSON.stringify(body)) };
}
