import * as vscode from "vscode";
import type { KernelServer } from "../../../api/kernels/kernel-server.ts";
import type { KernelSpec } from "../../../api/kernels/models.ts";

/** Milliseconds for which a list of kernels waits for logos. */
const logoTimeoutMs = 3000;
const maxLogos = 20;

/**
 * The logos of kernel specs for lists, by the name of the spec. They are data URIs, because the server's address needs
 * the notebook token, which must not be part of an icon's address. Missing and slow logos are omitted.
 */
export async function kernelLogos(
  server: Pick<KernelServer, "logo">,
  specs: readonly KernelSpec[],
): Promise<ReadonlyMap<string, vscode.Uri>> {
  const signal = AbortSignal.timeout(logoTimeoutMs);
  const logos = new Map<string, vscode.Uri>();
  const read = async (spec: KernelSpec): Promise<void> => {
    const bytes = await server.logo(spec, signal);
    if (bytes !== undefined) {
      logos.set(spec.name, vscode.Uri.parse(`data:image/png;base64,${Buffer.from(bytes).toString("base64")}`));
    }
  };
  await Promise.allSettled(specs.slice(0, maxLogos).map(read));
  return logos;
}
