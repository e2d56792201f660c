import * as vscode from "vscode";
import * as z from "zod/mini";
import { KernelServer } from "../../../api/kernels/kernel-server.ts";
import type { KernelSpec } from "../../../api/kernels/models.ts";
import { authorityOf } from "../../../tenants/workspace-uri.ts";
import type { KernelServices, WorkspaceAddress } from "../kernel-services.ts";
import { kernelNameOf } from "../notebook-metadata.ts";
import { type ControllerEvent, KernelController } from "./kernel-controller.ts";
import { specsKey } from "./stored-specs.ts";

const remembered = z.object({
  defaultName: z.string(),
  specs: z.array(
    z.object({
      name: z.string(),
      displayName: z.string(),
      language: z.string(),
      logoFile: z.optional(z.string()),
    }),
  ),
});

type RememberedSpecs = z.output<typeof remembered>;

/** The kernel that is offered until the server has reported its kernels. */
const assumedSpec: KernelSpec = { name: "python3", displayName: "Python 3", language: "python", logoFile: undefined };

/**
 * The kernels of one workspace: owns its server, and a controller for each kernel spec. The last known specs are stored,
 * so that notebooks open without a request, and while the workspace is stopped. Knows no notebooks: WindowWorkspaces
 * creates it, and NotebookKernels handles the events of its controllers.
 */
export class WorkspaceKernels implements vscode.Disposable {
  readonly address: WorkspaceAddress;
  readonly server: KernelServer;
  readonly #services: KernelServices;
  readonly #events = new vscode.EventEmitter<ControllerEvent>();
  readonly #controllers = new Map<string, KernelController>();
  #isDisposed = false;

  constructor(address: WorkspaceAddress, services: KernelServices) {
    this.address = address;
    this.#services = services;
    this.server = new KernelServer(() => services.connections.content(address.tenantId, address.workspaceId));
    this.#offer(this.#remembered.specs);
  }

  /** What the user does with the workspace's kernels in the editor. */
  get onEvent(): vscode.Event<ControllerEvent> {
    return this.#events.event;
  }

  get name(): string {
    return this.#services.connections.nameOf(this.address.tenantId, this.address.workspaceId);
  }

  /** True if the server has not reported any kernels yet. */
  get isUnknown(): boolean {
    return this.#remembered.specs.length === 0;
  }

  /** The registered controllers by the name of their spec. */
  get controllers(): ReadonlyMap<string, KernelController> {
    return this.#controllers;
  }

  /** The controller for the kernel that a notebook names, or for the server's default kernel. */
  controllerOf(notebook: vscode.NotebookDocument): KernelController {
    const named = kernelNameOf(notebook);
    const known = this.#remembered;
    const spec = named === undefined || !this.isUnknown ? assumedSpec : { ...assumedSpec, name: named };
    // The editor refuses a second controller for the assumed kernel.
    const name = [named, known.defaultName, spec.name].find((candidate) => this.#controllers.has(candidate ?? ""));
    return this.#controllers.get(name ?? "") ?? this.#add(spec);
  }

  /** The kernel for code in a language of the editor: the notebook's if it runs the language, or the first one that does. */
  controllerFor(notebook: vscode.NotebookDocument, languageId: string): KernelController {
    const usual = this.controllerOf(notebook);
    const runsIt = ({ controller }: KernelController): boolean =>
      controller.supportedLanguages?.includes(languageId) === true;
    return runsIt(usual) ? usual : ([...this.#controllers.values()].find(runsIt) ?? usual);
  }

  /** Offers a kernel if the server has not reported any. */
  offerDefault(): void {
    if (this.#controllers.size === 0) {
      this.#add(assumedSpec);
    }
  }

  /**
   * Reads the server's kernels once, and registers them. Resolves with false if the server has none. In that case, the
   * last known ones are kept, because the response may come from a proxy that can't reach the server yet.
   */
  async discover(): Promise<boolean> {
    const support = await this.server.support();
    if (support.type === "none") {
      return false;
    }
    await this.#services.state.update(this.#key, { defaultName: support.defaultName, specs: support.specs });
    if (this.#isDisposed) {
      // The last notebook was closed meanwhile. A controller that is never disposed would block its id.
      return true;
    }
    this.#offer(support.specs);
    const names = new Set(support.specs.map(({ name }) => name));
    for (const [name, controller] of this.#controllers) {
      if (!names.has(name)) {
        this.#controllers.delete(name);
        controller.dispose();
      }
    }
    return true;
  }

  /** Throws if the server has no kernels. At most one request while the window is open. */
  async requireKernels(): Promise<void> {
    if (!(await this.discover())) {
      throw new Error(vscode.l10n.t("{0} can't run notebooks because its content server has no kernels.", this.name));
    }
  }

  dispose(): void {
    this.#isDisposed = true;
    for (const controller of this.#controllers.values()) {
      controller.dispose();
    }
    this.#controllers.clear();
    this.#events.dispose();
  }

  get #key(): string {
    return `${specsKey}${authorityOf(this.address.tenantId, this.address.workspaceId)}`;
  }

  get #remembered(): RememberedSpecs {
    const parsed = z.safeParse(remembered, this.#services.state.get(this.#key));
    return parsed.success ? parsed.data : { defaultName: "", specs: [] };
  }

  #offer(specs: readonly (Omit<KernelSpec, "logoFile"> & { readonly logoFile?: string | undefined })[]): void {
    for (const spec of specs) {
      const whole = { ...spec, logoFile: spec.logoFile };
      const controller = this.#controllers.get(spec.name);
      if (controller === undefined) {
        this.#add(whole);
      } else {
        controller.spec = whole;
      }
    }
  }

  #add(spec: KernelSpec): KernelController {
    const controller = new KernelController(this.address, this.name, spec, this.#events);
    this.#controllers.set(spec.name, controller);
    return controller;
  }
}
