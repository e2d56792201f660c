import type * as vscode from "vscode";
import { nameOf } from "../../../api/catalogue/content-path.ts";
import { errorMessage } from "../../../api/error-message.ts";
import { AddressScanner } from "../../../api/ports/printed-addresses.ts";
import type { KernelServices } from "../kernel-services.ts";
import type { NotebookKernel } from "../notebook-kernel.ts";
import type { NotebookKernels } from "../notebook-kernels.ts";

/** Suggests to forward the ports whose addresses the output of cells shows: each port once for a notebook's kernel. */
export class PrintedAddresses implements vscode.Disposable {
  readonly #services: Pick<KernelServices, "ports" | "log">;
  /** By the kernel's id, because a restarted kernel serves the same apps again. */
  readonly #scanners = new WeakMap<
    NotebookKernel,
    { readonly kernelId: string | undefined; readonly scanner: AddressScanner }
  >();
  readonly #listener: vscode.Disposable;

  constructor(kernels: Pick<NotebookKernels, "onEvent">, services: Pick<KernelServices, "ports" | "log">) {
    this.#services = services;
    this.#listener = kernels.onEvent(({ kernel, event }) => {
      if (event.type === "printed") {
        this.#take(kernel, event.text, event.isWhole);
      }
    });
  }

  dispose(): void {
    this.#listener.dispose();
  }

  #take(kernel: NotebookKernel, text: string, isWhole: boolean): void {
    const kernelId = kernel.connection?.kernelId;
    const known = this.#scanners.get(kernel);
    const current =
      known?.kernelId === kernelId && known !== undefined ? known : { kernelId, scanner: new AddressScanner() };
    this.#scanners.set(kernel, current);
    const found = current.scanner.take(text, { isWhole });
    if (found.length > 0) {
      const { ports, log } = this.#services;
      const by = { place: kernel.workspace.address, name: nameOf(kernel.notebook.uri.path) };
      ports.suggest(found, by).catch((error: unknown) => log.error(`ports: ${errorMessage(error)}`));
    }
  }
}
