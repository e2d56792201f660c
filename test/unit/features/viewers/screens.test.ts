import assert from "node:assert/strict";
import type * as api from "vscode";
import { ParquetScreens, parquetCommands, readingCode } from "../../../../src/features/viewers/parquet-screens.ts";
import { PdfScreens } from "../../../../src/features/viewers/pdf-screens.ts";
import { uriOf } from "../../../../src/tenants/workspace-uri.ts";
import * as vscode from "../../../harness/editor-stand-in/vscode.ts";

const hostile = `<img src=x onerror="alert(1)">"); import os #.parquet`;

/** The panel of a file, as the editor gives it to a screen. */
class StandInPanel {
  visible = true;
  readonly posted: unknown[] = [];
  readonly #messages = new vscode.EventEmitter<unknown>();
  readonly #disposed = new vscode.EventEmitter<void>();
  readonly onDidDispose = this.#disposed.event;
  readonly webview = {
    html: "",
    options: {},
    cspSource: "https://files.example",
    asWebviewUri: (uri: { readonly path: string }) => `https://files.example${uri.path}`,
    onDidReceiveMessage: this.#messages.event,
    postMessage: async (message: unknown) => void this.posted.push(message),
  };

  /** What its page sends. */
  async send(message: unknown): Promise<void> {
    this.#messages.fire(message);
    await new Promise(setImmediate);
  }

  close(): void {
    this.#disposed.fire();
  }
}

const asPanel = (panel: StandInPanel): api.WebviewPanel => panel as unknown as api.WebviewPanel;
const extensionUri = vscode.Uri.file("/extension") as unknown as api.Uri;
const documentOf = (path: string): api.CustomDocument => ({
  uri: uriOf("acme", "w-1", path),
  dispose: () => undefined,
});

describe("the screen of a PDF file", () => {
  const changed = new vscode.EventEmitter<readonly { readonly type: number; readonly uri: unknown }[]>();
  const report = documentOf("report.pdf");
  let content: () => Promise<Uint8Array>;
  let reads: number;
  let panel: StandInPanel;

  beforeEach(() => {
    reads = 0;
    content = async () => new Uint8Array([1, 2]);
    panel = new StandInPanel();
    const files = {
      onDidChangeFile: changed.event,
      readFile: async () => {
        reads += 1;
        return content();
      },
    };
    const screens = new PdfScreens({ files: files as never, extensionUri, log: { warn: () => undefined } });
    screens.resolveCustomEditor(report, asPanel(panel));
  });

  afterEach(() => panel.close());

  const changes = async (type: number, uri: unknown): Promise<void> => {
    changed.fire([{ type, uri }]);
    await new Promise(setImmediate);
  };

  it("reads the file when its page asks, and says why it can't", async () => {
    assert.equal(reads, 0);
    await panel.send({ type: "read" });
    assert.deepEqual(panel.posted, [{ type: "content", bytes: new Uint8Array([1, 2]) }]);
    content = () => Promise.reject(new Error("the server said no"));
    await panel.send({ type: "read" });
    assert.deepEqual(panel.posted.at(-1), { type: "failed", text: "the server said no" });
    await panel.send({ type: "delete" });
    await panel.send("read");
    assert.equal(reads, 2);
  });

  it("reads the file again after it was written, unless it is hidden or closed", async () => {
    const { Changed, Created, Deleted } = vscode.FileChangeType;
    await changes(Changed, report.uri);
    await changes(Created, report.uri);
    assert.equal(reads, 2);
    await changes(Deleted, report.uri);
    await changes(Changed, uriOf("acme", "w-1", "other.pdf"));
    panel.visible = false;
    await changes(Changed, report.uri);
    panel.visible = true;
    panel.close();
    await changes(Changed, report.uri);
    await panel.send({ type: "read" });
    assert.equal(reads, 2);
  });

  it("allows its page nothing but its own files", () => {
    const { html } = panel.webview;
    const policy = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(html)?.[1] ?? assert.fail(html);
    const nonce = /<script nonce="([\w-]{20,})"/.exec(html)?.[1] ?? assert.fail(html);
    assert.deepEqual(policy.split("; "), [
      "default-src 'none'",
      `script-src 'nonce-${nonce}' 'wasm-unsafe-eval'`,
      `style-src 'nonce-${nonce}'`,
      "worker-src blob:",
      "connect-src https://files.example",
      "base-uri 'none'",
      "form-action 'none'",
    ]);
  });
});

describe("the screen of a Parquet file", () => {
  const htmlOf = async (path: string, stat: () => Promise<unknown>): Promise<string> => {
    const panel = new StandInPanel();
    const screens = new ParquetScreens({ files: { stat } as never, extensionUri });
    await screens.resolveCustomEditor(documentOf(path), asPanel(panel));
    return panel.webview.html;
  };

  it("names the file and its size, with a line of code and two buttons, and runs no script", async () => {
    const html = await htmlOf("data/sales.parquet", async () => ({ size: 2_500_000 }));
    assert.match(html, /<h1>sales\.parquet<\/h1>\n<p>Parquet file, 2\.5 MB<\/p>/);
    assert.match(html, /pd\.read_parquet\(&#34;sales\.parquet&#34;\)/);
    const commands = [...html.matchAll(/href="command:([\w.]+)\?([^"]+)"/g)];
    assert.deepEqual(
      commands.map(([, command]) => command),
      ["platformWorkbench.copyReadingCode", "platformWorkbench.download"],
    );
    for (const [, , argument = ""] of commands) {
      const [uri] = JSON.parse(decodeURIComponent(argument));
      assert.equal(uri.path, "/data/sales.parquet");
    }
    assert.doesNotMatch(html, /<script|script-src/);
  });

  it("says why the size is unknown, and still shows the code", async () => {
    const html = await htmlOf("sales.parquet", () => Promise.reject(new Error("the server said no")));
    assert.match(html, /<p>the server said no<\/p>/);
    assert.match(html, /read_parquet/);
  });

  it("escapes a hostile name in the page and in the code", async () => {
    const html = await htmlOf(hostile, async () => ({ size: 1 }));
    assert.doesNotMatch(html, /<img/);
    const code = readingCode(uriOf("acme", "w-1", hostile));
    const line = code.split("\n").find((one) => one.startsWith("df = ")) ?? assert.fail(code);
    assert.equal(JSON.parse(line.slice("df = pd.read_parquet(".length, -1)), hostile);
  });

  it("copies the code, only for files of workspaces", async () => {
    const run = parquetCommands["platformWorkbench.copyReadingCode"];
    await vscode.env.clipboard.writeText("");
    await run({} as never, vscode.Uri.file("/etc/passwd"), []);
    assert.equal(await vscode.env.clipboard.readText(), "");
    await run({} as never, uriOf("acme", "w-1", "sales.parquet"), []);
    assert.match(await vscode.env.clipboard.readText(), /read_parquet\("sales\.parquet"\)/);
  });
});
