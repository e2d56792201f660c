import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import * as vscode from "vscode";
import {
  executionTimes,
  isDone,
  openNotebook,
  runAll,
  saveAfterRun,
  kernelTenant as tenant,
  textOf,
} from "./kernel-notebooks.ts";
import { onDisk, outside } from "./outside.ts";
import { until } from "./time.ts";

/** Cells for each kind of message, by their subject, all in one notebook: a kernel on each side is enough. */
const subjects: Readonly<Record<string, readonly string[]>> = {
  "streams and results": [
    "print('a')\nprint('b', end='')",
    "import sys\nprint('out', flush=True)\nprint('err', file=sys.stderr, flush=True)\nprint('out again')",
    "{'text': 'é 😀', 'number': 1}",
    "None",
    "x = 1\nx",
  ],
  "tables and pictures": [
    "import pandas as pd\npd.DataFrame({'a': [1, 2], 'b': ['x', 'y']})",
    "%matplotlib inline\nimport matplotlib.pyplot as plt\nplt.plot([1, 2, 3])\nplt.show()",
    "from IPython.display import Image\nImage(data=bytes.fromhex('89504e470d0a1a0a'), format='png', width=20)",
  ],
  "MIME types": [
    "from IPython.display import *\ndisplay(HTML('<b>bold</b>'), Markdown('# head'), Latex('$x$'), SVG('<svg xmlns=\"http://www.w3.org/2000/svg\"/>'))",
    "display(JSON({'a': [1, 2]}), Javascript('1 + 1'))",
    "display({'text/plain': 'plain', 'application/vnd.custom+json': {'k': 1}}, raw=True, metadata={'text/plain': {'m': 1}})",
  ],
  "updates and clearing": [
    "from IPython.display import display, clear_output, update_display\nshown = display('first', display_id='here')",
    "display('second place', display_id='here')",
    "update_display('updated', display_id='here')",
    "print('gone')\nclear_output()\nprint('stays')",
    "print('old')\nclear_output(wait=True)\nprint('new')",
  ],
  "an error at the end": ["print('before')\nraise ValueError('no')"],
};

/**
 * Executes the notebook on standard input as nbclient does, in the given folder. Sockets in the file system connect to the
 * kernel: another program could get one of a kernel's ports first.
 */
const program = [
  "import nbclient, nbformat, os, sys, tempfile",
  "from traitlets.config import Config",
  "notebook = nbformat.reads(sys.stdin.read(), as_version=4)",
  "with tempfile.TemporaryDirectory() as sockets:",
  "    connection = {'transport': 'ipc', 'connection_file': os.path.join(sockets, 'kernel.json')}",
  "    client = nbclient.NotebookClient(notebook, kernel_name='python3', allow_errors=True, timeout=60,",
  "        resources={'metadata': {'path': sys.argv[1]}}, config=Config({'KernelManager': connection}))",
  "    sys.stdout.write(nbformat.writes(client.execute()))",
].join("\n");

interface Cell {
  readonly execution_count: number | null;
  readonly outputs: readonly Readonly<Record<string, unknown>>[];
}

async function executedByNbclient(text: string): Promise<readonly Cell[]> {
  const running = promisify(execFile)(outside.python, ["-c", program, tenant.root], { maxBuffer: 10_000_000 });
  running.child.stdin?.end(text);
  const { stdout } = await running;
  return JSON.parse(stdout).cells;
}

/**
 * The same form for both: complete texts, base64 without line ends, and one output for consecutive outputs of a stream.
 */
function normalized(cells: readonly Cell[]): readonly unknown[] {
  return cells.map((cell) => {
    const outputs: Record<string, unknown>[] = [];
    for (const output of cell.outputs.map(wholeText)) {
      const last = outputs.at(-1);
      if (output.output_type === "stream" && last?.output_type === "stream" && last.name === output.name) {
        last.text = `${String(last.text)}${String(output.text)}`;
      } else {
        outputs.push(output);
      }
    }
    return { count: cell.execution_count, outputs };
  });
}

function wholeText(output: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const joined = (value: unknown): unknown =>
    Array.isArray(value) && value.every((line) => typeof line === "string") ? value.join("") : value;
  const data = Object.entries(Object(output.data)).map(([mime, value]) => {
    const text = joined(value);
    return [mime, mime.startsWith("image/png") && typeof text === "string" ? text.replaceAll("\n", "") : text];
  });
  return {
    ...output,
    ...("text" in output ? { text: joined(output.text) } : {}),
    ...("data" in output ? { data: Object.fromEntries(data) } : {}),
  };
}

describe("a notebook that runs here and in nbclient is saved with the same outputs", () => {
  const sources = Object.values(subjects).flat();
  let saved: readonly unknown[];
  let expected: readonly unknown[];

  before(async () => {
    const notebook = await openNotebook(...sources);
    const path = notebook.uri.path.slice(1);
    const fromNbclient = executedByNbclient((await onDisk(tenant, path)).toString());
    await runAll(notebook);
    await until("the cells to end", () => notebook.getCells().every(isDone));
    // Each cell with the display is updated separately.
    const withDisplay = notebook.getCells().filter(({ document }) => /(?<!update_)display\('/.test(document.getText()));
    assert.equal(withDisplay.length, 2);
    await until("the updates", () => withDisplay.every((cell) => textOf(cell).startsWith("'updated'")));
    assert.ok(notebook.getCells().every((cell) => executionTimes(cell) === undefined));
    await saveAfterRun(notebook);
    const document: { readonly cells: readonly Cell[] } = JSON.parse((await onDisk(tenant, path)).toString());
    saved = normalized(document.cells);
    expected = normalized(await fromNbclient);
  });
  after(async () => {
    await vscode.commands.executeCommand("workbench.action.files.revert");
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
  });

  for (const [about, own] of Object.entries(subjects)) {
    it(`for ${about}`, () => {
      assert.ok(own.length > 0);
      const from = sources.indexOf(own[0] ?? "");
      const to = from + own.length;
      assert.equal(saved.length, sources.length);
      assert.deepEqual(saved.slice(from, to), expected.slice(from, to));
    });
  }
});
