/** A kernel that a server can start (Jupyter Server: `/api/kernelspecs`). */
export interface KernelSpec {
  readonly name: string;
  readonly displayName: string;
  /** For example, `python`. Not always lowercase. */
  readonly language: string;
  /** File name of the logo in the kernel spec's resources, such as `logo-64x64.png`. */
  readonly logoFile: string | undefined;
}

/** The kernels that a server offers. `none`: the server responded with 404, or has no kernel specs. */
export type KernelSupport =
  | { readonly type: "available"; readonly defaultName: string; readonly specs: readonly KernelSpec[] }
  | { readonly type: "none" };

/** A kernel on a server, as of the last request. */
export interface RunningKernel {
  readonly id: string;
  /** Name of the kernel's KernelSpec. */
  readonly specName: string;
  /** The server's name for the state: `starting`, `idle`, `busy`, `restarting`, `dead`, `unknown`. */
  readonly executionState: string;
  /** Number of connected clients, including this one. */
  readonly connections: number;
  /** ISO 8601 in UTC; undefined if the server does not report it. */
  readonly lastActivity: string | undefined;
}

/** The link between a notebook's content path and its kernel. The kernel's working directory is the path's folder. */
export interface KernelSession {
  readonly id: string;
  readonly path: string;
  readonly name: string;
  /** `notebook`, `console`, or `file`. */
  readonly type: string;
  /** Undefined while the server replaces the kernel. */
  readonly kernel: RunningKernel | undefined;
}

/** A new kernel of a spec, or a running kernel. */
export type KernelChoice =
  | { readonly type: "new"; readonly specName: string }
  | { readonly type: "running"; readonly kernelId: string };

/** A kernel's description of itself (`kernel_info_reply`). */
export interface KernelInformation {
  /** For example, `ipython`. */
  readonly implementation: string;
  readonly languageName: string;
  /** The content of the notebook's `language_info`. */
  readonly languageInfo: Readonly<Record<string, unknown>>;
  readonly banner: string;
  /** For example, `kernel subshells` and `debugger`. */
  readonly features: ReadonlySet<string>;
}
