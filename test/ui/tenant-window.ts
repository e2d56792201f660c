import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Browser } from "playwright-core";
import {
  type SampleTenant,
  type SampleTenantOptions,
  startSampleTenant,
} from "../../src/programs/sample-tenant/server.ts";
import type { TenantState } from "../../src/programs/sample-tenant/state.ts";
import { type EditorServer, startEditorServer } from "../harness/editor-host/server.ts";
import { startBrowser, type WindowOptions } from "../harness/editor-host/window.ts";
import { Workbench } from "../harness/workbench/workbench.ts";

export interface TenantWindowOptions {
  readonly tenant?: Partial<SampleTenantOptions>;
  /** False starts without a tenant. Default: the tenant exists and is signed in. */
  readonly signedIn?: boolean;
  /** Without the notebook tokens, so that the user is asked for them. */
  readonly withoutNotebookTokens?: boolean;
  /** Additional members of the tenant file, determined when the tenant is running. */
  readonly tenantFile?: (tenant: SampleTenant) => Promise<object>;
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly window?: WindowOptions;
}

/** A real workbench with the extension, and a sample tenant outside of it. */
export interface TenantWindow {
  readonly tenant: SampleTenant;
  readonly workbench: Workbench;
  readonly dataDirectory: string;
  /** Everything that the extension host and the window printed. */
  readonly printed: readonly string[];
  close(): Promise<void>;
}

interface FirstWindow extends TenantWindow {
  /** Opens another window of the same editor, in a new browser profile. */
  openOtherProfile(options: WindowOptions): Promise<Workbench>;
}

const projectDirectory = join(import.meta.dirname, "..", "..");

export async function openTenantWindow(options: TenantWindowOptions = {}): Promise<FirstWindow> {
  const directory = await mkdtemp(join(tmpdir(), "platform-workbench-ui-"));
  const tenant = await startSampleTenant({
    dataDirectory: join(directory, "tenant"),
    bootSeconds: 1,
    ...options.tenant,
  });
  const tenantFile = join(directory, "tenant.json");
  const file = {
    ...tenant.tenantFile(),
    ...(options.withoutNotebookTokens === true ? { notebookTokens: {} } : {}),
    ...(await options.tenantFile?.(tenant)),
  };
  await writeFile(tenantFile, JSON.stringify(file), { mode: 0o600 });
  let server: EditorServer | undefined;
  let browser: Browser | undefined;
  const printed: string[] = [];
  const close = async (): Promise<void> => {
    await browser?.close();
    await server?.stop();
    await tenant.stop();
    await rm(directory, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    const dataDirectory = join(directory, "editor");
    const started = await startEditorServer({
      dataDirectory,
      environment: options.signedIn === false ? {} : { PLATFORM_WORKBENCH_TENANT_FILE: tenantFile },
      ...(options.settings === undefined ? {} : { settings: options.settings }),
    });
    server = started;
    const startedBrowser = await startBrowser();
    browser = startedBrowser;
    const workbench = await Workbench.open(browser, server, {
      extensionDevelopmentPath: projectDirectory,
      onExtensionHostLine: (line) => printed.push(line),
      onWindowLine: (line) => printed.push(line),
      ...options.window,
    });
    const openOtherProfile = (other: WindowOptions): Promise<Workbench> =>
      Workbench.open(startedBrowser, started, { extensionDevelopmentPath: projectDirectory, ...other });
    return { tenant, workbench, dataDirectory, printed, openOtherProfile, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The tenant's stored state on disk. */
export async function storedState({ dataDirectory }: Pick<TenantWindow, "dataDirectory">): Promise<TenantState> {
  return JSON.parse(await readFile(join(dirname(dataDirectory), "tenant", "state.json"), "utf8"));
}

/** Opens a workspace from the side bar as a folder in this window, as a user does. */
export async function openWorkspaceFolder({ workbench }: TenantWindow, name: string): Promise<void> {
  await workbench.sideBar.open("Platform");
  const view = await workbench.sideBar.view("Workspaces");
  const row = await view.tree.row(new RegExp(`^${name}`));
  await row.doubleClick();
  await workbench.quickInput.choose(/This Window/);
  await untilFolderIsOpen(workbench);
}

/** Waits for the window that shows a workspace's folder in the Explorer. */
export async function untilFolderIsOpen(workbench: Workbench): Promise<void> {
  await workbench.page.waitForURL(/code-workspace/);
  await workbench.waitUntilReady();
  // The window knows the folder only after the extension has started.
  await workbench.explorer.open();
}
