// What the companion of a real Jupyter Server reports about ports, next to kernels whose own ports are TCP's.
import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { type ListeningPort, watchPorts } from "../../../src/api/companion/operations/ports.ts";
import { freePort } from "../../harness/free-port.ts";
import { until } from "../../harness/until.ts";
import { run } from "../rig.ts";
import { startProgram, startTunnelRig, type TunnelRig } from "./ports-rig.ts";

describe("the ports on which a workspace's programs listen", function () {
  this.timeout(180_000);
  let rig: TunnelRig;

  before(async () => {
    rig = await startTunnelRig("listening", { kernelTransport: "tcp" });
  });
  after(() => rig?.stop());

  it("are those of apps, also of an app in a kernel, but not those of the server, its kernels, and the companion", async () => {
    const { companion } = rig.started;
    let listed: readonly ListeningPort[] = [];
    const watched = await companion.subscribe(
      watchPorts,
      {},
      {
        onPush: ({ ports }) => {
          listed = ports;
        },
        onFailure: assert.fail,
      },
    );
    assert.equal(watched.result.isKnown, process.platform === "linux");
    if (!watched.result.isKnown) return;
    const kernelId = await rig.rig.startKernel();
    const connection = await rig.rig.connect(kernelId);
    const [inKernel, beside] = [await freePort(), await freePort()];
    const serve = [
      "import http.server, threading",
      `server = http.server.ThreadingHTTPServer(("127.0.0.1", ${inKernel}), http.server.SimpleHTTPRequestHandler)`,
      "threading.Thread(target=server.serve_forever, daemon=True).start()",
    ];
    await run(connection, serve.join("\n"));
    const files = await startProgram(
      `import http.server; s = http.server.HTTPServer(("0.0.0.0", ${beside}), http.server.SimpleHTTPRequestHandler); ` +
        `print(${beside}); s.serve_forever()`,
      rig.rig.root,
    );
    const nameOf = (port: number): string | undefined => listed.find((one) => one.port === port)?.name;
    await until("both apps", () => nameOf(inKernel) !== undefined && nameOf(beside) !== undefined);
    assert.equal(nameOf(inKernel), "kernel");
    assert.match(nameOf(beside) ?? "", /^python/);
    const internal = [Number(new URL(rig.rig.url).port), ...(await kernelPorts())];
    assert.equal(internal.length, 11, "the server, and five ports of two kernels");
    assert.deepEqual(
      listed.filter(({ port }) => internal.includes(port)),
      [],
    );
    assert.deepEqual(
      listed.filter(({ port }) => port === inKernel || port === beside).map(({ isEphemeral }) => isEphemeral),
      [false, false],
    );
    await files.stop();
    await until("the end of one", () => nameOf(beside) === undefined);
    watched.dispose();
  });

  /** The ports in the connection files of all kernels, which differ from each other. */
  async function kernelPorts(): Promise<readonly number[]> {
    const directory = join(rig.rig.homeDirectory, "runtime");
    const files = (await readdir(directory)).filter((name) => /^kernel-.*\.json$/.test(name));
    const contents = await Promise.all(
      files.map(async (name): Promise<Readonly<Record<string, unknown>>> => {
        return JSON.parse(await readFile(join(directory, name), "utf8"));
      }),
    );
    assert.ok(contents.every(({ transport }) => transport === "tcp"));
    return contents.flatMap((content) =>
      Object.entries(content).flatMap(([key, value]) => (key.endsWith("_port") ? [Number(value)] : [])),
    );
  }
});
