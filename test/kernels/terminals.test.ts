// Terminals of a real Jupyter Server: what is displayed, and what is displayed again after the connection was lost.
import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { TerminalServer } from "../../src/api/terminals/terminal-server.ts";
import { startSampleTenant } from "../../src/programs/sample-tenant/server.ts";
import { plainShell } from "../harness/jupyter-environment.ts";
import { until } from "../harness/until.ts";
import { type KernelRig, startRig } from "./rig.ts";
import { assertTerminalWorks, gapNotice, marked, type ShownTerminal, showTerminal } from "./shown-terminal.ts";

describe("terminals", function () {
  this.timeout(180_000);
  let rig: KernelRig;
  let server: TerminalServer;
  const shown: ShownTerminal[] = [];

  before(async () => {
    rig = await startRig([plainShell], { terminals: true });
    server = new TerminalServer(async () => rig.client());
  });
  afterEach(() => {
    for (const { connection } of shown.splice(0)) connection.dispose();
    rig.proxy.accept();
  });
  after(() => rig.stop());

  function attach(
    name: string,
    options: { readonly isNew?: boolean; readonly wasFullScreen?: boolean } = {},
  ): ShownTerminal {
    const screen = showTerminal(rig.client(), name, options);
    shown.push(screen);
    return screen;
  }

  async function start(folder = ""): Promise<{ readonly name: string; readonly screen: ShownTerminal }> {
    const terminal = await server.start(folder);
    assert.ok(terminal !== undefined);
    const screen = attach(terminal.name, { isNew: true });
    await until("the prompt", () => /[#$] $/.test(screen.text));
    return { name: terminal.name, screen };
  }

  const type = (screen: ShownTerminal, text: string): void => screen.connection.type(text);

  it("starts in a folder, with the size of the display, and shows colors", async () => {
    await mkdir(join(rig.root, "some folder"), { recursive: true });
    const { screen, name } = await start("some folder");
    type(screen, "pwd; stty size; printf '\\033[31mred\\033[0m\\n'\r");
    await screen.shows(`${join(rig.root, "some folder")}\r\n24 80\r\n\u001b[31mred\u001b[0m`);
    screen.connection.resize({ rows: 30, columns: 100 });
    type(screen, "stty size\r");
    await screen.shows("30 100");
    assert.ok((await server.list())?.some((terminal) => terminal.name === name && terminal.lastActivity !== undefined));
  });

  it("continues after the connection was lost, without repeated or missing output", async () => {
    const { screen } = await start();
    type(screen, `${"for i in $(seq 1 40); do echo line $i; sleep 0.02; done;"} ${marked("done-all")}`);
    await screen.shows("line 5\r\n");
    rig.proxy.refuse();
    rig.proxy.cut();
    await until("another connection to be refused", () => screen.states.includes("waiting"));
    rig.proxy.accept();
    await screen.shows("done-all");
    const lines = screen.text.match(/line \d+(?=\r)/g);
    assert.deepEqual(
      lines,
      Array.from({ length: 40 }, (_, index) => `line ${index + 1}`),
    );
    assert.ok(!screen.text.includes(gapNotice));
    type(screen, marked("alive"));
    await screen.shows("alive");
  });

  it("sends what was typed during a short interruption", async () => {
    const { screen } = await start();
    rig.proxy.refuse();
    rig.proxy.cut();
    await until("another connection to be refused", () => screen.states.includes("waiting"));
    type(screen, marked("typed-meanwhile"));
    rig.proxy.accept();
    await screen.shows("typed-meanwhile");
  });

  it("restores the screen in another window, without sending replies to the programs", async () => {
    const { name, screen } = await start();
    type(screen, `printf '\\033[6n\\033]11;?\\007'; ${marked("before")}`);
    await screen.shows("before");
    assert.ok(screen.text.includes("\u001b[6n") && screen.text.includes("\u001b]11;?"));
    screen.connection.dispose();
    const other = attach(name);
    await other.shows("before");
    assert.ok(!other.text.includes("\u001b[6n") && !other.text.includes("\u001b]11;"));
    type(other, marked("after"));
    await other.shows("after");
  });

  it("restores a full-screen program, which draws itself again", async () => {
    await writeFile(
      join(rig.root, "full.sh"),
      "draw() { printf '\\033[2J\\033[Hdrawn %s' \"$(stty size)\"; }\ntrap draw WINCH\nprintf '\\033[?1049h'\ndraw\nwhile ! [ -e stop-drawing ]; do sleep 0.05; done\nprintf '\\033[?1049lleft'\n",
    );
    const { name, screen } = await start();
    type(screen, "bash full.sh\r");
    await screen.shows("drawn 24 80");
    assert.deepEqual(screen.fullScreen, [true]);
    screen.connection.dispose();
    const other = attach(name, { wasFullScreen: true });
    // The first one is what the server repeats.
    await until("the program to draw itself again", () => other.text.split("drawn 24 80").length > 2);
    await writeFile(join(rig.root, "stop-drawing"), "");
    await other.shows("\u001b[?1049lleft");
    assert.equal(other.fullScreen.at(-1), false);
  });

  it("reports the end of the shell, and that of a terminal that was ended elsewhere", async () => {
    const { screen, name } = await start();
    type(screen, "exit\r");
    await screen.is("ended");
    assert.ok(!(await server.list())?.some((terminal) => terminal.name === name));
    const second = await start();
    rig.proxy.refuse();
    rig.proxy.cut();
    await new TerminalServer(async () => rig.direct).end(second.name);
    rig.proxy.accept();
    await second.screen.is("ended");
    await server.end(second.name);
    const never = attach("999");
    await never.is("ended");
    assert.equal(await server.list().then((list) => list?.some((terminal) => terminal.name === "999")), false);
  });

  it("passes on 10 MB, and discards what waits when the user interrupts it", async () => {
    await writeFile(join(rig.root, "big.txt"), `${"0123456789abcdef".repeat(5)}\n`.repeat(130_000));
    const { screen } = await start();
    type(screen, `cat big.txt; ${marked("end-of-cat")}`);
    await screen.shows("end-of-cat");
    assert.ok(screen.text.length > 10_000_000, String(screen.text.length));
    screen.text = "";
    screen.isTaking = false;
    type(screen, "while :; do cat big.txt; done\r");
    await until("much output to wait", () => screen.connection.isReading === false);
    type(screen, "\u0003");
    screen.isTaking = true;
    await until("the output to be read", () => screen.connection.isReading === true);
    screen.onOutput();
    type(screen, marked("after-interrupt"));
    await screen.shows("after-interrupt");
    assert.ok(screen.text.length < 1_000_000, String(screen.text.length));
  });

  it("reports a workspace of the sample tenant, which has no terminals", async () => {
    const directory = await mkdtemp(join(tmpdir(), "platform-workbench-terminals-"));
    const tenant = await startSampleTenant({ dataDirectory: directory });
    try {
      const workspace = tenant.workspaces.find(({ status }) => status === "running");
      assert.ok(workspace !== undefined);
      const none = new TerminalServer(async () =>
        rig.clientAt(workspace.contentUrl, tenant.notebookToken(workspace.id)),
      );
      assert.deepEqual([await none.list(), await none.start("")], [undefined, undefined]);
    } finally {
      await tenant.stop();
      await rm(directory, { recursive: true, force: true });
    }
  });

  it("reports a server without terminals", async () => {
    const without = await startRig();
    try {
      const none = new TerminalServer(async () => without.direct);
      assert.deepEqual([await none.list(), await none.start("")], [undefined, undefined]);
    } finally {
      await without.stop();
    }
  });
});

describe("terminals of Jupyter Server 1.x", function () {
  this.timeout(180_000);
  let rig: KernelRig;

  before(async () => {
    rig = await startRig([plainShell], { terminals: true, release: "older" });
  });
  after(() => rig.stop());

  it("open in a folder, show what is typed, get another size, connect again, and end", () =>
    assertTerminalWorks(rig.client(), rig.proxy, rig.root));
});
