import assert from "node:assert/strict";
import type { TerminalServices } from "../../../../src/features/terminals/terminal-services.ts";
import { WorkspaceTerminals } from "../../../../src/features/terminals/workspace-terminals.ts";
import type { SecretChange } from "../../../../src/tenants/tenant-secrets.ts";
import { StandInMemento } from "../../../harness/editor-stand-in/memory.ts";
import {
  createdTerminals,
  EventEmitter,
  nextMessage,
  type StandInTerminal,
  TerminalExitReason,
} from "../../../harness/editor-stand-in/vscode.ts";
import { until } from "../../../harness/until.ts";

describe("the terminals of a window", () => {
  /** The names of the terminals on the server; undefined if it is unreachable. */
  let running: string[] | undefined;
  let ended: string[];
  let changed: EventEmitter<SecretChange>;
  let signedOut: EventEmitter<string>;
  let states: EventEmitter<unknown>;
  let services: TerminalServices;
  let windows: WorkspaceTerminals[];

  beforeEach(() => {
    [running, ended, windows] = [["1", "2"], [], []];
    [changed, signedOut, states] = [new EventEmitter(), new EventEmitter(), new EventEmitter()];
    createdTerminals.splice(0);
    const client = {
      call: async ({ method }: { readonly method: string }, { name = "" }: { readonly name?: string }) => {
        if (running === undefined) throw new Error("unreachable");
        if (method === "DELETE") ended.push(name);
        return running.map((each) => ({ name: each }));
      },
      raw: () => new Promise(() => {}),
    };
    services = {
      connections: { content: async () => client, nameOf: () => "Sales" },
      secrets: { onDidChange: changed.event, onDidSignOut: signedOut.event, notebookToken: async () => undefined },
      lifecycle: { onDidChangeState: states.event },
      log: { debug: () => {}, error: (line: string) => assert.fail(line), info: () => {}, warn: () => {} },
      windowState: new StandInMemento(),
    } as unknown as TerminalServices;
  });
  afterEach(() => {
    for (const window of windows) window.dispose();
  });

  function open(): WorkspaceTerminals {
    const window = new WorkspaceTerminals(services);
    windows.push(window);
    return window;
  }

  function show(window: WorkspaceTerminals, tenantId: string, name: string): StandInTerminal {
    const address = { tenantId, workspaceId: "sales", name };
    window.show({ address, folder: "data", isNew: false, wasFullScreen: false });
    const terminal = createdTerminals.at(-1);
    assert.ok(terminal !== undefined);
    return terminal;
  }

  const stored = (): readonly string[] =>
    (services.windowState.get<readonly { readonly name: string }[]>("terminals") ?? []).map(({ name }) => name);

  it("return after a reload if they still run", async () => {
    const window = open();
    for (const name of ["1", "3"]) show(window, "one", name).end(TerminalExitReason.Shutdown);
    window.dispose();
    await until("the terminals to be stored", () => stored().length === 2);
    createdTerminals.splice(0);
    await open().restore();
    assert.deepEqual(
      createdTerminals.map(({ creationOptions }) => creationOptions.name),
      ["Sales · 1"],
    );
    await until("the other one to be removed", () => stored().join() === "1");
  });

  it("return if the server can't be asked", async () => {
    show(open(), "one", "3").end(TerminalExitReason.Shutdown);
    windows[0]?.dispose();
    await until("the terminal to be stored", () => stored().length === 1);
    running = undefined;
    createdTerminals.splice(0);
    await open().restore();
    assert.equal(createdTerminals.length, 1);
  });

  it("are shown once", () => {
    const window = open();
    const first = show(window, "one", "1");
    assert.equal(show(window, "one", "1"), first);
    assert.notEqual(show(window, "two", "1"), first);
    assert.ok(first.isShown);
  });

  it("close when the user signs out, or when the token is removed in any window", async () => {
    const window = open();
    const [one, two, three] = [show(window, "one", "1"), show(window, "two", "1"), show(window, "three", "1")];
    signedOut.fire("one");
    assert.deepEqual([one.exitStatus?.reason, two.exitStatus], [TerminalExitReason.Process, undefined]);
    changed.fire({ tenantId: "two", workspaceId: "sales" });
    await until("the second one to close", () => two.exitStatus !== undefined);
    assert.equal(three.exitStatus, undefined);
    await until("the others to be removed", () => stored().length === 1);
  });

  it("run on when the user closes them, until the user ends them", async () => {
    const terminal = show(open(), "one", "1");
    const message = nextMessage();
    terminal.end(TerminalExitReason.User);
    const shown = await message;
    assert.match(shown.text, /Terminal 1 still runs in Sales/);
    assert.deepEqual(ended, []);
    shown.choose("End Terminal");
    await until("the terminal to be ended", () => ended.join() === "1");
    assert.deepEqual(stored(), []);
  });
});
