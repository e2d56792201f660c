/** A kernel that a server can start (Jupyter Server: `/api/kernelspecs`). */
export interface KernelSpec {
  readonly name: string;
  readonly displayName: string;
  /** As `python`; lower case is not guaranteed. */
  readonly language: string;
  /** Path of the logo below the content server's address, as `kernelspecs/python3/logo-64x64.png`. */
  readonly logoPath: string | undefined;
}

/** What a server offers for running notebooks. A content server without kernels answers its address with 404. */
export type KernelSupport =
  | { readonly type: "available"; readonly defaultName: string; readonly specs: readonly KernelSpec[] }
  | { readonly type: "none" };

/** A kernel that runs on a server, as the server described it when it was last asked. */
export interface RunningKernel {
  readonly id: string;
  /** Name of its KernelSpec. */
  readonly specName: string;
  /** As the server names it: `starting`, `idle`, `busy`, `restarting`, `dead`, `unknown`. */
  readonly executionState: string;
  /** Clients that are connected to it, this one included. */
  readonly connections: number;
  /** ISO 8601 UTC, where the server tells it. */
  readonly lastActivity: string | undefined;
}

/** The link between a notebook's content path and its kernel. The kernel's working directory is the path's folder. */
export interface KernelSession {
  readonly id: string;
  readonly path: string;
  readonly name: string;
  /** `notebook`, `console`, `file`. */
  readonly type: string;
  /** Undefined while the server replaces it. */
  readonly kernel: RunningKernel | undefined;
}

/** A new kernel of a spec, or one that runs already. */
export type KernelChoice =
  | { readonly type: "new"; readonly specName: string }
  | { readonly type: "running"; readonly kernelId: string };

/** What a kernel says of itself (`kernel_info_reply`). */
export interface KernelInformation {
  /** As `ipython`. */
  readonly implementation: string;
  readonly languageName: string;
  /** What Jupyter writes to the notebook's `language_info`. */
  readonly languageInfo: Readonly<Record<string, unknown>>;
  readonly banner: string;
  /** As `kernel subshells`, `debugger`. */
  readonly features: ReadonlySet<string>;
}
