import type { DialectId } from "../../src/api/http/dialects.ts";
import type { SampleTenant } from "../../src/programs/sample-tenant/server.ts";
import { type FaultProxy, startFaultProxy } from "../harness/proxy.ts";
import { type FirstWindow, openTenantWindow, type TenantWindowOptions } from "./tenant-window.ts";

export interface ProxiedWindowOptions
  extends Pick<TenantWindowOptions, "signedIn" | "withoutNotebookTokens" | "settings" | "window" | "workspace"> {
  /** Seconds from the start of a workspace until it is running. Default: 1. */
  readonly bootSeconds?: number;
  /** The dialect of the tenant. Default: `documented`. */
  readonly dialect?: DialectId;
}

/** A window whose tenant, both the platform and the content server, is reached through a proxy. */
export interface ProxiedWindow extends FirstWindow {
  readonly proxy: FaultProxy;
  /** The prefix of the content servers' paths, for faults. */
  readonly contentPath: string;
}

export async function openProxiedWindow(options: ProxiedWindowOptions = {}): Promise<ProxiedWindow> {
  const { bootSeconds = 1, dialect, ...others } = options;
  let proxy: FaultProxy | undefined;
  const behindProxy = async (tenant: SampleTenant): Promise<object> => {
    proxy = await startFaultProxy(tenant.url);
    return { baseUrl: proxy.url, contentServer: { origin: proxy.url } };
  };
  const stopProxy = async (): Promise<void> => proxy?.stop();
  try {
    const window = await openTenantWindow({
      ...others,
      tenant: { bootSeconds, ...(dialect === undefined ? {} : { dialect }) },
      tenantFile: behindProxy,
    });
    if (proxy === undefined) throw new Error("the window has no proxy");
    const close = async (): Promise<void> => {
      await window.close();
      await stopProxy();
    };
    return { ...window, proxy, contentPath: "/user/", close };
  } catch (error) {
    await stopProxy();
    throw error;
  }
}

/**
 * The messages without those of the editor: it adds a message for each file that it could not save, which extensions
 * can't prevent.
 */
export function withoutEditorMessages(texts: readonly string[]): readonly string[] {
  return texts.filter((text) => !text.startsWith("Failed to save"));
}
