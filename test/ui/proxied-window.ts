import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import type { DialectId } from "../../src/api/http/dialects.ts";
import {
  type SampleTenant,
  type SampleTenantWorkspace,
  startSampleTenant,
} from "../../src/programs/sample-tenant/server.ts";
import { type EditorServer, startEditorServer } from "../harness/editor-host/server.ts";
import { startBrowser, type WindowOptions } from "../harness/editor-host/window.ts";
import { type FaultProxy, startFaultProxy } from "../harness/proxy.ts";
import { Workbench } from "../harness/workbench/workbench.ts";
import type { TenantWindow } from "./tenant-window.ts";

export interface ProxiedWindowOptions {
  /** Without the notebook tokens, so that the user is asked for them. */
  readonly withoutNotebookTokens?: boolean;
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Seconds from the start of a workspace until it is running. Default: 1. */
  readonly bootSeconds?: number;
  /** The dialect of the tenant. Default: `documented`. */
  readonly dialect?: DialectId;
  readonly window?: WindowOptions;
}

/** A window whose tenant, both the platform and the content server, is reached through a proxy. */
export interface ProxiedWindow extends TenantWindow {
  readonly proxy: FaultProxy;
  /** The prefix of the content servers' paths, for faults. */
  readonly contentPath: string;
  /** Everything that the editor's server printed. */
  serverOutput(): string;
}

export async function openProxiedWindow(options: ProxiedWindowOptions = {}): Promise<ProxiedWindow> {
  const directory = await mkdtemp(join(tmpdir(), "platform-workbench-ui-"));
  const printed: string[] = [];
  let tenant: SampleTenant | undefined;
  let proxy: FaultProxy | undefined;
  let server: EditorServer | undefined;
  let browser: Browser | undefined;
  const close = async (): Promise<void> => {
    await browser?.close();
    await server?.stop();
    await proxy?.stop();
    await tenant?.stop();
    await rm(directory, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    tenant = await startSampleTenant({
      dataDirectory: join(directory, "tenant"),
      bootSeconds: options.bootSeconds ?? 1,
      ...(options.dialect === undefined ? {} : { dialect: options.dialect }),
    });
    proxy = await startFaultProxy(tenant.url);
    const tenantFile = join(directory, "tenant.json");
    const file = {
      ...tenant.tenantFile(),
      baseUrl: proxy.url,
      contentServer: { origin: proxy.url },
      ...(options.withoutNotebookTokens === true ? { notebookTokens: {} } : {}),
    };
    await writeFile(tenantFile, JSON.stringify(file), { mode: 0o600 });
    const dataDirectory = join(directory, "editor");
    server = await startEditorServer({
      dataDirectory,
      environment: { PLATFORM_WORKBENCH_TENANT_FILE: tenantFile },
      ...(options.settings === undefined ? {} : { settings: options.settings }),
    });
    browser = await startBrowser();
    const workbench = await Workbench.open(browser, server, {
      extensionDevelopmentPath: join(import.meta.dirname, "..", ".."),
      onExtensionHostLine: (line) => printed.push(line),
      onWindowLine: (line) => printed.push(line),
      ...options.window,
    });
    const { output: serverOutput } = server;
    return { tenant, proxy, contentPath: "/user/", workbench, dataDirectory, printed, serverOutput, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** A workspace of the sample tenant by its name. */
export function workspaceNamed({ tenant }: Pick<TenantWindow, "tenant">, name: string): SampleTenantWorkspace {
  const workspace = tenant.workspaces.find((candidate) => candidate.name === name);
  if (workspace === undefined) throw new Error(`the sample tenant has no workspace ${name}`);
  return workspace;
}

/**
 * The messages without those of the editor: it adds a message for each file that it could not save, which extensions
 * can't prevent.
 */
export function withoutEditorMessages(texts: readonly string[]): readonly string[] {
  return texts.filter((text) => !text.startsWith("Failed to save"));
}
