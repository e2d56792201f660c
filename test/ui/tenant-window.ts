import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type SampleTenant,
  type SampleTenantOptions,
  type SampleTenantWorkspace,
  startSampleTenant,
} from "../../src/programs/sample-tenant/server.ts";
import type { TenantState } from "../../src/programs/sample-tenant/state.ts";
import type { WindowOptions } from "../harness/editor-host/window.ts";
import { Workbench } from "../harness/workbench/workbench.ts";
import { type Editor, takeEditor } from "./editor.ts";

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
  /** The workspace whose folder the window shows from the start. None by default. */
  readonly workspace?: OpenedWorkspace;
}

export interface OpenedWorkspace {
  readonly name: string;
  /** Files of the workspace in addition to those of the sample tenant: texts by content path. */
  readonly files?: Readonly<Record<string, string>>;
}

/** A real workbench with the extension, and a sample tenant outside of it. */
export interface TenantWindow {
  readonly tenant: SampleTenant;
  /** The directory of the tenant's state. */
  readonly tenantDirectory: string;
  readonly workbench: Workbench;
  /** The directory of the editor's settings, storage, and logs. */
  readonly dataDirectory: string;
  /** Everything that the extension host and the window printed. */
  readonly printed: readonly string[];
  /** Everything that the editor's server printed. */
  serverOutput(): string;
  close(): Promise<void>;
}

export interface FirstWindow extends TenantWindow {
  /** Opens another window of the same editor, in a new browser profile. */
  openOtherProfile(options: WindowOptions): Promise<Workbench>;
}

const projectDirectory = join(import.meta.dirname, "..", "..");

export async function openTenantWindow(options: TenantWindowOptions = {}): Promise<FirstWindow> {
  const directory = await mkdtemp(join(tmpdir(), "platform-workbench-ui-"));
  const tenantDirectory = join(directory, "tenant");
  let tenant: SampleTenant | undefined;
  let editor: Editor | undefined;
  const close = async (): Promise<void> => {
    await editor?.release();
    await tenant?.stop();
    await rm(directory, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    tenant = await startSampleTenant({ dataDirectory: tenantDirectory, bootSeconds: 1, ...options.tenant });
    const tenantFile = {
      ...tenant.tenantFile(),
      ...(options.withoutNotebookTokens === true ? { notebookTokens: {} } : {}),
      ...(await options.tenantFile?.(tenant)),
    };
    editor = await takeEditor({
      settings: options.settings,
      tenantFile: options.signedIn === false ? undefined : tenantFile,
    });
    const { server, browser } = editor;
    const { dataDirectory } = server;
    const printed: string[] = [];
    const workbench = await Workbench.open(browser, server, {
      extensionDevelopmentPath: projectDirectory,
      onExtensionHostLine: (line) => printed.push(line),
      onWindowLine: (line) => printed.push(line),
      ...(options.workspace === undefined ? {} : await prepareFolder(options.workspace, tenant)),
      ...options.window,
    });
    if (options.workspace !== undefined) await workbench.explorer.open();
    const openOtherProfile = (other: WindowOptions): Promise<Workbench> =>
      Workbench.open(browser, server, { extensionDevelopmentPath: projectDirectory, ...other });
    const { output: serverOutput } = server;
    return { tenant, tenantDirectory, workbench, dataDirectory, printed, serverOutput, openOtherProfile, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/**
 * Writes the files, so that the window shows them, and returns the address at which it shows the workspace's folder in
 * any browser profile. Like `workspaceFile` in src/features/workspaces, which needs an editor.
 */
async function prepareFolder({ name, files = {} }: OpenedWorkspace, tenant: SampleTenant): Promise<WindowOptions> {
  const { id } = workspaceNamed({ tenant }, name);
  for (const [path, text] of Object.entries(files)) await writeFile(join(tenant.contentRoot(id), path), text);
  return { workspace: `platform-documents://${id}.${tenant.tenantFile().id}/workspace-file/${name}.code-workspace` };
}

/** A workspace of the sample tenant by its name. */
export function workspaceNamed({ tenant }: Pick<TenantWindow, "tenant">, name: string): SampleTenantWorkspace {
  const workspace = tenant.workspaces.find((candidate) => candidate.name === name);
  if (workspace === undefined) throw new Error(`the sample tenant has no workspace ${name}`);
  return workspace;
}

/** The tenant's stored state on disk. */
export async function storedState({ tenantDirectory }: Pick<TenantWindow, "tenantDirectory">): Promise<TenantState> {
  return JSON.parse(await readFile(join(tenantDirectory, "state.json"), "utf8"));
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
