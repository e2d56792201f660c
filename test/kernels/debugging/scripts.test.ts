// Python files under the debugger, each in a real kernel of its own.
import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as vscode from "vscode";
import { ScriptKernel, type ScriptTerminal } from "../../../src/api/debugging/script-kernel.ts";
import { ScriptSessions } from "../../../src/features/debugging/script-sessions.ts";
import { SharedOpenKernels } from "../../../src/tenants/open-kernels.ts";
import { uriOf } from "../../../src/tenants/workspace-uri.ts";
import { editor as editorWindow } from "../../harness/editor-stand-in/vscode.ts";
import { until } from "../../harness/until.ts";
import { type KernelRig, startRig } from "../rig.ts";
import { Editor } from "./editor.ts";

/** A terminal that records what is printed, and answers with these lines. */
class Terminal implements ScriptTerminal {
  text = "";
  errors = "";
  readonly answers: string[];

  constructor(...answers: string[]) {
    this.answers = answers;
  }

  print(stream: "stdout" | "stderr", text: string): void {
    if (stream === "stdout") this.text += text;
    else this.errors += text;
  }

  async ask(): Promise<string | undefined> {
    return this.answers.shift();
  }
}

for (const release of ["current", "older"] as const) {
  describe(`debugging files with a ${release} kernel`, function () {
    this.timeout(60_000);
    let rig: KernelRig;

    before(async () => {
      rig = await startRig([], { release, debugger: true });
      await mkdir(join(rig.root, "jobs"));
    });
    after(() => rig.stop());

    /** Starts a file with breakpoints, by path. `ended` resolves when the file has ended. */
    async function debug(
      path: string,
      lines: readonly string[],
      options: {
        readonly breakpoints?: Readonly<Record<string, readonly object[]>>;
        readonly parameters?: readonly string[];
        readonly terminal?: Terminal;
      } = {},
    ) {
      const { breakpoints = {}, parameters = [], terminal = new Terminal() } = options;
      await writeFile(join(rig.root, path), `${lines.join("\n")}\n`);
      const kernel = await ScriptKernel.start(rig.client(), path, AbortSignal.timeout(60_000));
      const editor = new Editor(kernel.connection, {}, { path, folder: "jobs", ownsKernel: true });
      await editor.start(breakpoints);
      const file = editor.session.pathOf(path) ?? "";
      return { kernel, editor, terminal, ended: kernel.run(file, parameters, terminal) };
    }

    it("runs a file as Python does, and stops in it and in a module that it imports", async () => {
      await writeFile(join(rig.root, "jobs", "prices.py"), "def of(n):\n    price = 10 * n\n    return price\n");
      const { kernel, editor, terminal, ended } = await debug(
        "jobs/total.py",
        [
          "import asyncio, os, sys",
          "import prices",
          "async def main():",
          "    print(__name__, os.path.basename(os.getcwd()), os.path.basename(sys.argv[0]), sys.argv[1:])",
          "if __name__ == '__main__':",
          "    asyncio.run(main())",
          "    print(prices.of(2))",
        ],
        {
          breakpoints: { "jobs/total.py": [{ line: 7 }], "jobs/prices.py": [{ line: 3 }] },
          parameters: ["--year", "2026"],
        },
      );
      assert.deepEqual(await editor.stop(), ["breakpoint", "<module> jobs/total.py:7"]);
      await until("the output", () => terminal.text.endsWith("\n") || undefined);
      assert.equal(terminal.text, "__main__ jobs total.py ['--year', '2026']\n");
      assert.deepEqual(await editor.step("continue"), [
        "breakpoint",
        "of jobs/prices.py:3",
        "<module> jobs/total.py:7",
      ]);
      assert.equal((await editor.variables()).price, "20");
      assert.deepEqual(await editor.step("stepOut"), ["step", "<module> jobs/total.py:7"]);
      // Past the last line.
      await editor.body("next", { threadId: 1 });
      await ended;
      assert.match(terminal.text, /\n20\n$/);
      assert.equal(terminal.errors, "");
      await kernel.end();
      assert.deepEqual(await rig.server.kernels(), []);
    });

    it("prints what a file raises without the frames of the kernel, and answers its questions", async () => {
      const { kernel, terminal, ended } = await debug(
        "jobs/ask.py",
        ["name = input('Name: ')", "print('Hello', name)", "int(name)"],
        { terminal: new Terminal("Ada") },
      );
      await ended;
      assert.equal(terminal.text, "Name: Ada\nHello Ada\n");
      assert.match(
        terminal.errors,
        /^Traceback \(most recent call last\):\n {2}File "[^"]*ask\.py", line 3, in <module>/,
      );
      assert.match(terminal.errors, /ValueError: invalid literal/);
      assert.doesNotMatch(terminal.errors, /runpy|ipykernel/);
      await kernel.end();
    });

    it("runs nothing more when it is ended while it is stopped", async () => {
      const path = "jobs/write.py";
      const { kernel, editor } = await debug(path, ["import os", "open('written.txt', 'w').close()"], {
        breakpoints: { [path]: [{ line: 2 }] },
      });
      await editor.stop();
      await editor.body("disconnect");
      assert.deepEqual(editor.end, { type: "detached" });
      await kernel.end();
      assert.deepEqual(await rig.server.kernels(), []);
      await writeFile(join(rig.root, "jobs", "written.txt"), "", { flag: "wx" });
    });

    it("ends with a sentence when the file ends its process", async () => {
      const { kernel, editor } = await debug("jobs/end.py", ["import os", "os._exit(3)"]);
      const end = await until("the session ends", () => editor.end);
      assert.equal(
        end.type === "lost" && String(end.reason),
        "The debugger has stopped because the file's process has ended.",
      );
      await kernel.end();
      assert.deepEqual(await rig.server.kernels(), []);
    });

    it("ends with its kernel if the user signs out", async () => {
      const signedOut = new vscode.EventEmitter<string>();
      const sessions = new ScriptSessions({
        connections: { content: async () => rig.client() },
        openKernels: new SharedOpenKernels(),
        secrets: { onDidSignOut: signedOut.event },
        subscriptions: [],
      });
      await writeFile(join(rig.root, "jobs", "long.py"), "import time\ntime.sleep(3000)\n");
      const adapter = await sessions.start(uriOf("acme", "w", "jobs/long.py"), []);
      const sent: string[] = [];
      adapter.onDidSendMessage((message) => {
        if ("event" in message) sent.push(String(message.event));
      });
      signedOut.fire("other");
      assert.deepEqual(sent, []);
      assert.equal((await rig.server.kernels()).length, 1);
      signedOut.fire("acme");
      assert.equal(sent.at(-1), "terminated");
      assert.equal(editorWindow.messages.at(-1)?.text, "The debugger has stopped because you signed out.");
      await until("the end of the kernel", async () => ((await rig.server.kernels()).length === 0 ? true : undefined));
      sessions.dispose();
    });
  });
}
