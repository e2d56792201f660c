// The editor that contains the windows of tests: a server and a browser. Its root hooks are for all files that run in a
// process, which share one editor.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { WindowBrowser } from "../harness/editor-host/browser.ts";
import { clearEditorData, type EditorServer, startEditorServer } from "../harness/editor-host/server.ts";

export interface EditorOptions {
  readonly settings?: Readonly<Record<string, unknown>> | undefined;
  /** The content of the tenant file; none by default. An editor without it is never shared. */
  readonly tenantFile?: object | undefined;
}

/** An editor without windows, and without anything that earlier windows have stored. */
export interface Editor {
  readonly server: EditorServer;
  readonly browser: WindowBrowser;
  /** Closes its windows, and ends it if it is not shared. */
  release(): Promise<void>;
}

interface StartedEditor {
  readonly directory: string;
  readonly server: EditorServer;
  readonly browser: WindowBrowser;
}

/** `off`: outside of mocha, no editor is shared. */
type Sharing =
  | { readonly kind: "off" }
  | { readonly kind: "not started" }
  | { readonly kind: "started"; readonly editor: StartedEditor };

let sharing: Sharing = { kind: "off" };

/** Closes the window that a test file has left open for the next one, if there is one. */
let closeLeftWindow = async (): Promise<void> => {};

/** Calls this before the shared editor is taken or stopped, which needs all of its windows to be closed. */
export function beforeEditorIsTaken(close: () => Promise<void>): void {
  closeLeftWindow = close;
}

export const mochaHooks = {
  beforeAll(): void {
    sharing = { kind: "not started" };
  },
  async afterAll(): Promise<void> {
    try {
      await closeLeftWindow();
    } finally {
      if (sharing.kind === "started") await stop(sharing.editor);
      sharing = { kind: "off" };
    }
  },
};

/** Returns the shared editor, whose earlier windows must be released, or starts one. */
export async function takeEditor(options: EditorOptions): Promise<Editor> {
  if (sharing.kind === "off" || options.tenantFile === undefined) {
    const editor = await start(options);
    return { ...editor, release: () => stop(editor) };
  }
  await closeLeftWindow();
  if (sharing.kind === "started") {
    const { directory, server } = sharing.editor;
    await clearEditorData(server, options.settings);
    await writeTenantFile(directory, options.tenantFile);
  } else {
    sharing = { kind: "started", editor: await start(options) };
  }
  const { editor } = sharing;
  return { ...editor, release: () => editor.browser.closeWindows() };
}

async function start({ settings, tenantFile }: EditorOptions): Promise<StartedEditor> {
  const directory = await mkdtemp(join(tmpdir(), "platform-workbench-editor-"));
  let server: EditorServer | undefined;
  try {
    const path = tenantFile === undefined ? undefined : await writeTenantFile(directory, tenantFile);
    server = await startEditorServer({
      dataDirectory: join(directory, "editor"),
      ...(path === undefined ? {} : { environment: { PLATFORM_WORKBENCH_TENANT_FILE: path } }),
      ...(settings === undefined ? {} : { settings }),
    });
    return { directory, server, browser: await WindowBrowser.start(server) };
  } catch (error) {
    await server?.stop();
    await rm(directory, { recursive: true, force: true, maxRetries: 5 });
    throw error;
  }
}

async function writeTenantFile(directory: string, content: object): Promise<string> {
  const path = join(directory, "tenant.json");
  await writeFile(path, JSON.stringify(content), { mode: 0o600 });
  return path;
}

async function stop({ directory, server, browser }: StartedEditor): Promise<void> {
  await browser.close();
  await server.stop();
  await rm(directory, { recursive: true, force: true, maxRetries: 5 });
}
