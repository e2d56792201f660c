import type * as vscode from "vscode";
import type { Companion } from "../../api/companion/companion.ts";
import {
  type InstalledPackage,
  listLoadedPackages,
  listPackages,
  maxChangedPackages,
  type PackageEnvironment,
  watchPackages,
} from "../../api/companion/operations/packages.ts";
import type { Subscription } from "../../api/kernels/connection/connection.ts";
import { ResponseOrder } from "../../api/response-order.ts";
import type { CompanionPlace } from "../../tenants/companions.ts";
import type { OpenKernel } from "../../tenants/open-kernels.ts";
import type { PackageServices } from "./package-services.ts";
import { normalizedName } from "./requirements.ts";

/** The environment whose packages are shown: that of a notebook's kernel, or that of the companion of a workspace. */
export interface PackagesTarget {
  readonly place: CompanionPlace;
  readonly kernel: OpenKernel | undefined;
}

/** The environment of a notebook's kernel; undefined unless it is a running kernel for Python of this window. */
export function kernelTarget(
  { openKernels }: Pick<PackageServices, "openKernels">,
  notebook: vscode.NotebookDocument,
): PackagesTarget | undefined {
  const kernel = openKernels.find(notebook);
  const ends: readonly (string | undefined)[] = [undefined, "kernelDead", "disposed"];
  return kernel === undefined ||
    kernel.language !== "python" ||
    kernel.isFollowing ||
    ends.includes(kernel.connection?.state.type)
    ? undefined
    : { place: kernel.place, kernel };
}

/** The packages of an environment as they were read last, and what reads them again. */
export class PackageSession implements vscode.Disposable {
  readonly target: PackagesTarget;
  readonly program: Companion;
  packages: readonly InstalledPackage[];
  readonly environment: PackageEnvironment;
  readonly #disposed = new AbortController();
  /** The versions that a kernel may have imported, by normalized name. */
  readonly #earlier = new Map<string, string>();
  #subscription: Subscription | undefined;
  readonly #order = new ResponseOrder();

  private constructor(
    target: PackagesTarget,
    program: Companion,
    packages: readonly InstalledPackage[],
    environment: PackageEnvironment,
  ) {
    this.target = target;
    this.program = program;
    this.packages = packages;
    this.environment = environment;
    this.#addEarlier();
  }

  /** Reads the packages. Rejects like `Companions.get`, `OpenKernel.program`, and `Companion.request`. */
  static async open(
    { companions }: Pick<PackageServices, "companions">,
    target: PackagesTarget,
    signal: AbortSignal,
  ): Promise<PackageSession> {
    const { kernel, place } = target;
    const program = await (kernel === undefined ? companions.get(place, signal) : kernel.program());
    const { packages, environment } = await program.request(listPackages, {}, { signal });
    return new PackageSession(target, program, packages, environment);
  }

  /** True if the program can still be asked. */
  get isOpen(): boolean {
    return this.program.end === undefined && !this.#disposed.signal.aborted;
  }

  /** Calls the listener when packages were installed or removed. `onEnd`: it isn't called anymore. */
  async watch(onChange: () => void, onEnd: (error: Error) => void): Promise<void> {
    const { signal } = this.#disposed;
    const subscription = await this.program.subscribe(
      watchPackages,
      {},
      { onPush: onChange, onFailure: onEnd },
      { signal },
    );
    if (signal.aborted) {
      subscription.dispose();
    } else {
      this.#subscription = subscription;
    }
  }

  /** Reads the packages again. Resolves with the names of those that the kernel has imported in another version. */
  async refresh(): Promise<readonly string[]> {
    const { signal } = this.#disposed;
    const accept = this.#order.begin();
    const { packages } = await this.program.request(listPackages, {}, { signal });
    if (!accept()) {
      return [];
    }
    this.packages = packages;
    const changed = this.packages.filter(({ name, version }) => {
      const earlier = this.#earlier.get(normalizedName(name));
      return earlier !== undefined && earlier !== version;
    });
    this.#addEarlier();
    if (this.target.kernel === undefined || changed.length === 0) {
      return [];
    }
    const names = changed.slice(0, maxChangedPackages).map(({ name }) => normalizedName(name));
    const loaded = new Set((await this.program.request(listLoadedPackages, { names }, { signal })).names);
    for (const { name, version } of changed) {
      this.#earlier.set(normalizedName(name), version);
    }
    return changed.map(({ name }) => name).filter((name) => loaded.has(normalizedName(name)));
  }

  dispose(): void {
    this.#disposed.abort();
    this.#subscription?.dispose();
  }

  /** A package that is replaced is removed at first, so that the first version counts. */
  #addEarlier(): void {
    for (const { name, version } of this.packages) {
      const key = normalizedName(name);
      if (!this.#earlier.has(key)) {
        this.#earlier.set(key, version);
      }
    }
  }
}
