import type * as vscode from "vscode";
import { lazy } from "../api/lazy.ts";
import type { TenantRegistry } from "../tenants/tenant-registry.ts";
import type { TenantSecrets } from "../tenants/tenant-secrets.ts";

/** Where the editor remembers that the sample tenant was tried. */
const keptKey = "sampleTenant";

/** The sample tenant, which loads when it is tried, and with each window after that. */
export interface SampleOnDemand {
  /** Starts it again where it was tried before. */
  resume(): Promise<void>;
  /** Starts it, signs in and opens its running workspace. */
  open(): Promise<void>;
}

export function sampleOnDemand(
  context: vscode.ExtensionContext,
  registry: TenantRegistry,
  secrets: TenantSecrets,
  log: vscode.LogOutputChannel,
): SampleOnDemand {
  const load = lazy(async () => {
    const { EmbeddedSample } = await import("./embedded-sample.ts");
    const sample = new EmbeddedSample(context, registry, secrets, log, (isKept) =>
      context.globalState.update(keptKey, isKept),
    );
    context.subscriptions.push(sample);
    return sample;
  });
  return {
    resume: async () => {
      if (context.globalState.get<boolean>(keptKey, false)) {
        await (await load()).resume();
      }
    },
    open: async () => (await load()).open(),
  };
}
