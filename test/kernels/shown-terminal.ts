import assert from "node:assert/strict";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { ContentClient } from "../../src/api/client/client.ts";
import { TerminalConnection, type TerminalListener } from "../../src/api/terminals/terminal-connection.ts";
import type { TerminalState } from "../../src/api/terminals/terminal-interface.ts";
import { TerminalServer } from "../../src/api/terminals/terminal-server.ts";
import type { SocketProxy } from "../harness/socket-proxy.ts";
import { until } from "../harness/until.ts";

export const gapNotice = "<something is missing>";
const size = { rows: 24, columns: 80 };

/** A command that prints a text which its echo doesn't contain. Shorter than a line, so that its echo has no break. */
export function marked(text: string): string {
  return `echo ${text.slice(0, 2)}''${text.slice(2)}\r`;
}

/** A terminal that takes and joins all output, or leaves it in the queue. */
export class ShownTerminal implements TerminalListener {
  text = "";
  isTaking = true;
  readonly states: TerminalState["type"][] = [];
  readonly fullScreen: boolean[] = [];
  readonly connection: TerminalConnection;

  constructor(connect: (listener: TerminalListener) => TerminalConnection) {
    this.connection = connect(this);
  }

  onOutput(): void {
    for (let next = this.#next(); next !== undefined; next = this.#next()) this.text += next;
  }

  #next(): string | undefined {
    return this.isTaking ? this.connection.takeOutput() : undefined;
  }

  onState({ type }: TerminalState): void {
    this.states.push(type);
  }

  onFullScreen(isFullScreen: boolean): void {
    this.fullScreen.push(isFullScreen);
  }

  shows(text: string): Promise<unknown> {
    return until(`"${text}" in the terminal`, () => this.text.includes(text), {
      seen: () => JSON.stringify(this.text.slice(-2000)),
    });
  }

  is(type: TerminalState["type"]): Promise<unknown> {
    return until(`the state ${type}`, () => this.states.at(-1) === type, { seen: () => this.states.join() });
  }

  prompts(): Promise<unknown> {
    return until("the prompt", () => /[#$] $/.test(this.text), { seen: () => JSON.stringify(this.text) });
  }
}

/** Connects to a terminal of a server. The caller disposes of the connection. */
export function showTerminal(
  client: ContentClient,
  name: string,
  options: { readonly isNew?: boolean; readonly wasFullScreen?: boolean } = {},
): ShownTerminal {
  const { isNew = false, wasFullScreen = false } = options;
  const times = { firstPauseMs: 20, maxPauseMs: 200, typed: 600_000 };
  const shown = new ShownTerminal(
    (listener) =>
      new TerminalConnection(
        { client: async () => client, name, isNew, wasFullScreen, size, gapNotice: () => gapNotice, times },
        listener,
      ),
  );
  shown.connection.retry();
  return shown;
}

/** Opens a terminal in a folder, types, resizes it, cuts its connection through the proxy, and ends it. */
export async function assertTerminalWorks(client: ContentClient, proxy: SocketProxy, root: string): Promise<void> {
  await mkdir(join(root, "some folder"), { recursive: true });
  const server = new TerminalServer(async () => client);
  const terminal = await server.start("some folder");
  assert.ok(terminal !== undefined);
  const shown = showTerminal(client, terminal.name, { isNew: true });
  try {
    await shown.prompts();
    shown.connection.type("pwd; stty size\r");
    await shown.shows(`${join(root, "some folder")}\r\n24 80\r\n`);
    shown.connection.resize({ rows: 30, columns: 100 });
    shown.connection.type("stty size\r");
    await shown.shows("30 100\r\n");
    proxy.refuse();
    proxy.cut();
    await until("another connection to be refused", () => shown.states.includes("waiting"));
    shown.connection.type(marked("typed-meanwhile"));
    proxy.accept();
    await shown.shows("typed-meanwhile");
    assert.ok(!shown.text.includes(gapNotice), shown.text);
    assert.equal(shown.text.split("30 100\r\n").length, 2, shown.text);
    assert.ok((await server.list())?.some(({ name }) => name === terminal.name));
    await server.end(terminal.name);
    await shown.is("ended");
    assert.ok(!(await server.list())?.some(({ name }) => name === terminal.name));
  } finally {
    shown.connection.dispose();
  }
}
