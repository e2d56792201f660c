import assert from "node:assert/strict";
import type * as api from "vscode";
import { PdfScreens } from "../../../../src/features/viewers/pdf-screens.ts";
import { uriOf } from "../../../../src/tenants/workspace-uri.ts";
import * as vscode from "../../../harness/editor-stand-in/vscode.ts";

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

  it("doesn't replace a newer content with an older one that arrives later", async () => {
    const slow = Promise.withResolvers<Uint8Array>();
    content = () => slow.promise;
    await panel.send({ type: "read" });
    content = async () => new Uint8Array([3]);
    await changes(vscode.FileChangeType.Changed, report.uri);
    slow.resolve(new Uint8Array([1, 2]));
    await new Promise(setImmediate);
    assert.deepEqual(panel.posted, [{ type: "content", bytes: new Uint8Array([3]) }]);
  });

  it("shows nothing that arrives after its tab was closed", async () => {
    const slow = Promise.withResolvers<Uint8Array>();
    content = () => slow.promise;
    await panel.send({ type: "read" });
    panel.close();
    slow.resolve(new Uint8Array([1, 2]));
    await new Promise(setImmediate);
    assert.deepEqual(panel.posted, []);
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
