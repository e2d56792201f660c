import type * as vscode from "vscode";
import type { PlatformFileSystem } from "../../file-system/provider/platform-file-system.ts";
import type { Companions } from "../../tenants/companions.ts";
import type { ExtensionLog } from "../../tenants/extension-log.ts";
import type { OpenKernels } from "../../tenants/open-kernels.ts";

/** The shared parts that the data explorer needs. */
export interface ExplorerServices {
  readonly companions: Companions;
  readonly openKernels: OpenKernels;
  readonly files: Pick<PlatformFileSystem, "stat" | "onDidChangeFile">;
  readonly log: Pick<ExtensionLog, "warn" | "error">;
  readonly extensionUri: vscode.Uri;
}
