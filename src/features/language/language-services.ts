import type * as vscode from "vscode";
import type { Companions } from "../../tenants/companions.ts";
import type { ExtensionLog } from "../../tenants/extension-log.ts";
import type { OpenKernels } from "../../tenants/open-kernels.ts";

/** The shared parts that language features need. */
export interface LanguageServices {
  readonly companions: Companions;
  readonly log: ExtensionLog;
  readonly openKernels: OpenKernels;
  readonly subscriptions: vscode.Disposable[];
}

export const language = "python";
