import * as vscode from "vscode";
import { nameOf } from "../../api/catalogue/content-path.ts";
import type { Companion } from "../../api/companion/companion.ts";
import { CompanionUnavailableError } from "../../api/companion/errors.ts";
import { phrase } from "../../api/phrase.ts";
import type { OpenKernel } from "../../tenants/open-kernels.ts";
import { uriOf } from "../../tenants/workspace-uri.ts";
import type { ExplorerServices } from "./explorer-services.ts";
import type { FrameSubject } from "./messages.ts";

/**
 * What happened to the origin of a frame. `changed`: a cell ended, or the file was written. `lost`: the variables are gone.
 * `connection`: the connection was lost or is back.
 */
export type OriginEvent =
  | { readonly type: "changed" | "lost" | "connected" }
  | { readonly type: "connection"; readonly isLost: boolean };

/** Where a frame is: in the kernel of a notebook, or in a file that the workspace's companion reads. */
export interface FrameOrigin extends vscode.Disposable {
  /** The expression, or the name of the file. */
  readonly name: string;
  readonly parameters: { readonly expression: string } | { readonly path: string };
  companion(signal: AbortSignal): Promise<Companion>;
  /** Tries to connect now. */
  retry(): void;
}

export function originOf(
  subject: FrameSubject,
  services: ExplorerServices,
  onEvent: (event: OriginEvent) => void,
): FrameOrigin {
  return subject.type === "file" ? fileOrigin(subject, services, onEvent) : kernelOrigin(subject, services, onEvent);
}

function kernelOrigin(
  { notebook, expression }: Extract<FrameSubject, { type: "expression" }>,
  { openKernels }: ExplorerServices,
  onEvent: (event: OriginEvent) => void,
): FrameOrigin {
  const find = (): OpenKernel | undefined => {
    const document = vscode.workspace.notebookDocuments.find(({ uri }) => uri.toString() === notebook);
    return document === undefined ? undefined : openKernels.find(document);
  };
  let wasLost = false;
  let wasConnected = find()?.connection !== undefined;
  const listener = openKernels.onEvent(({ kernel, event }) => {
    if (kernel.notebook.uri.toString() !== notebook) {
      return;
    }
    if (event.type !== "connection") {
      onEvent({ type: event.type === "restarted" ? "lost" : "changed" });
      return;
    }
    const isLost =
      kernel.connection !== undefined &&
      kernel.connection.state.type !== "connected" &&
      kernel.connection.state.type !== "resting";
    if (isLost !== wasLost) {
      wasLost = isLost;
      onEvent({ type: "connection", isLost });
    }
    const isConnected = kernel.connection !== undefined;
    if (isConnected !== wasConnected) {
      wasConnected = isConnected;
      onEvent({ type: isConnected ? "connected" : "lost" });
    }
  });
  return {
    name: expression,
    parameters: { expression },
    companion: async () => {
      const kernel = find();
      if (kernel?.connection === undefined) {
        throw new CompanionUnavailableError("off", phrase`Its notebook isn't open, or isn't connected to a kernel.`);
      }
      return kernel.program();
    },
    retry: () => find()?.connection?.retry(),
    dispose: () => listener.dispose(),
  };
}

function fileOrigin(
  { tenantId, workspaceId, path }: Extract<FrameSubject, { type: "file" }>,
  { companions, files }: ExplorerServices,
  onEvent: (event: OriginEvent) => void,
): FrameOrigin {
  const own = uriOf(tenantId, workspaceId, path).toString();
  const listener = files.onDidChangeFile((changes) => {
    if (changes.some(({ uri }) => uri.toString() === own)) {
      onEvent({ type: "changed" });
    }
  });
  return {
    name: nameOf(path),
    parameters: { path },
    companion: (signal) => companions.get({ tenantId, workspaceId }, signal),
    retry() {},
    dispose: () => listener.dispose(),
  };
}
