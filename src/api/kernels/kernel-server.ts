import { nameOf } from "../catalogue/content-path.ts";
import type { CallOptions, ContentClient } from "../client/client.ts";
import { hasStatus } from "../http/errors.ts";
import { isUnknownAddress, unlessUnknown } from "../http/unknown-address.ts";
import { shortened } from "../text.ts";
import { readKernelLogo } from "./kernel-logo.ts";
import type { KernelChoice, KernelSession, KernelSpec, KernelSupport, RunningKernel } from "./models.ts";
import {
  createSession,
  deleteSession,
  getKernel,
  interruptKernel,
  type KernelModel,
  listKernelSpecs,
  listKernels,
  listSessions,
  restartKernel,
  type SessionModel,
  shutDownKernel,
  updateSession,
} from "./operations.ts";

/**
 * Start of the paths of sessions whose kernels are companions of the editor. They belong to no notebook, and are no
 * kernels that a person can choose.
 */
export const companionPathPrefix = ".platform-workbench-companion-";

/** Maximum number of kernels, sessions, or kernel specs that are read from one list. */
const maxItems = 1000;
/** Maximum length of a name from the server, in characters. */
const maxNameLength = 200;

/** Servers that stop when they are idle must not count a request with this parameter as activity. */
const quiet = { no_track_activity: 1 } as const;

/** The kernels and sessions of one content server. Every method throws a PlatformError if the server refuses. */
export class KernelServer {
  readonly #client: () => Promise<ContentClient>;
  #support: Promise<KernelSupport> | undefined;
  readonly #logos = new Map<string, Uint8Array>();

  /** `client` is called for each request, because the server's address and the token can change. */
  constructor(client: () => Promise<ContentClient>) {
    this.#client = client;
  }

  /**
   * The kernel specs that the server offers, or `none`. Not cached until the server offers some, because a proxy
   * without a route to the server also responds with 404.
   */
  support(): Promise<KernelSupport> {
    this.#support ??= this.#readSupport().then(
      (support) => {
        if (support.type === "none") {
          this.#support = undefined;
        }
        return support;
      },
      (error: unknown) => {
        this.#support = undefined;
        throw error;
      },
    );
    return this.#support;
  }

  /** The logo of a kernel spec, a small PNG; undefined if it has none. Each logo is requested once. */
  async logo(spec: KernelSpec, signal: AbortSignal): Promise<Uint8Array | undefined> {
    const known = this.#logos.get(spec.name);
    const logo = known ?? (await readKernelLogo(await this.#client(), spec, signal));
    if (logo !== undefined) {
      this.#logos.set(spec.name, logo);
    }
    return logo;
  }

  /** All running kernels, companions included. */
  async kernels(options: CallOptions = {}): Promise<readonly RunningKernel[]> {
    const kernels = await (await this.#client()).call(listKernels, {}, options);
    return kernels.slice(0, maxItems).map(runningKernel);
  }

  /** Like `kernels`, but empty if the server has no kernels at all. Doesn't count as activity on the server. */
  async kernelsIfAny(options: CallOptions = {}): Promise<readonly RunningKernel[]> {
    const kernels = await unlessUnknown((await this.#client()).call(listKernels, quiet, options));
    return (kernels ?? []).slice(0, maxItems).map(runningKernel);
  }

  /** A kernel's state; undefined if the server does not know the kernel, or no longer knows it. */
  async kernel(kernelId: string, options: CallOptions = {}): Promise<RunningKernel | undefined> {
    try {
      return runningKernel(await (await this.#client()).call(getKernel, { kernelId }, options));
    } catch (error) {
      if (hasStatus(error, 404)) {
        return undefined;
      }
      throw error;
    }
  }

  /** The sessions of notebooks, consoles, and files. Without those of companions. */
  async sessions(options: CallOptions = {}): Promise<readonly KernelSession[]> {
    return (await this.#allSessions(options)).filter((session) => !isCompanion(session));
  }

  /** The running kernels with their sessions. Without companions. */
  async running(options: CallOptions = {}): Promise<{
    readonly kernels: readonly RunningKernel[];
    readonly sessions: readonly KernelSession[];
  }> {
    const [kernels, sessions] = await Promise.all([this.kernels(options), this.#allSessions(options)]);
    const companions = new Set(sessions.filter(isCompanion).map(({ kernel }) => kernel?.id));
    return {
      kernels: kernels.filter(({ id }) => !companions.has(id)),
      sessions: sessions.filter((session) => !isCompanion(session)),
    };
  }

  async #allSessions(options: CallOptions): Promise<readonly KernelSession[]> {
    const sessions = await (await this.#client()).call(listSessions, {}, options);
    return sessions.slice(0, maxItems).map(kernelSession);
  }

  /** All sessions, companions included; empty if the server has no kernels at all. Doesn't count as activity on the server. */
  async sessionsIfAny(options: CallOptions = {}): Promise<readonly KernelSession[]> {
    const sessions = await unlessUnknown((await this.#client()).call(listSessions, quiet, options));
    return (sessions ?? []).slice(0, maxItems).map(kernelSession);
  }

  /**
   * Opens the session of a notebook. If the path already has a session, Jupyter Server returns that session with its
   * kernel, so that several clients of a notebook share one kernel.
   */
  async openSession(path: string, kernel: KernelChoice, options: CallOptions = {}): Promise<KernelSession> {
    const body = { path, name: nameOf(path), type: "notebook", kernel: kernelOf(kernel) } as const;
    return kernelSession(await (await this.#client()).call(createSession, { body }, options));
  }

  /** Opens a session that belongs to no notebook. Like for notebooks, a path has one session. */
  async openConsole(path: string, name: string, specName: string): Promise<KernelSession> {
    const body = { path, name, type: "console", kernel: { name: specName } } as const;
    return kernelSession(await (await this.#client()).call(createSession, { body }));
  }

  /** Updates the session of a notebook that was renamed or moved. The kernel keeps running in its current directory. */
  async moveSession(sessionId: string, path: string): Promise<KernelSession> {
    const body = { path, name: nameOf(path) };
    return kernelSession(await (await this.#client()).call(updateSession, { sessionId, body }));
  }

  /** Switches a session to another kernel. Jupyter Server shuts down the previous kernel. */
  async changeKernel(sessionId: string, kernel: KernelChoice): Promise<KernelSession> {
    const body = { kernel: kernelOf(kernel) };
    return kernelSession(await (await this.#client()).call(updateSession, { sessionId, body }));
  }

  /** Ends a session and shuts down its kernel. Succeeds if it no longer exists. */
  async endSession(sessionId: string): Promise<void> {
    await unlessGone((await this.#client()).call(deleteSession, { sessionId }));
  }

  async interrupt(kernelId: string): Promise<void> {
    await (await this.#client()).call(interruptKernel, { kernelId });
  }

  async restart(kernelId: string): Promise<void> {
    await (await this.#client()).call(restartKernel, { kernelId });
  }

  /** Shuts down a kernel. Succeeds if it no longer exists. */
  async shutDown(kernelId: string): Promise<void> {
    await unlessGone((await this.#client()).call(shutDownKernel, { kernelId }));
  }

  async #readSupport(): Promise<KernelSupport> {
    try {
      const { default: defaultName, kernelspecs } = await (await this.#client()).call(listKernelSpecs, {});
      const specs = Object.entries(kernelspecs)
        .slice(0, maxItems)
        .map(
          ([name, { spec, resources }]): KernelSpec => ({
            name,
            displayName: shortened(spec.display_name ?? name, maxNameLength),
            language: shortened(spec.language ?? "", maxNameLength),
            logoFile: logoFileOf(resources ?? {}),
          }),
        );
      return specs.length === 0
        ? { type: "none" }
        : { type: "available", defaultName: defaultName ?? specs[0]?.name ?? "", specs };
    } catch (error) {
      if (isUnknownAddress(error)) {
        return { type: "none" };
      }
      throw error;
    }
  }
}

async function unlessGone(work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!hasStatus(error, 404)) {
      throw error;
    }
  }
}

/** The logo's file name in the spec's resources. Ignores SVG files, because rendering one can block a browser. */
function logoFileOf(resources: Readonly<Record<string, unknown>>): string | undefined {
  const logos = ["logo-64x64", "logo-32x32"];
  const path = logos.map((logo) => resources[logo]).find((value) => typeof value === "string");
  const file = path?.slice(path.lastIndexOf("/") + 1);
  return file === undefined || !/^\w[\w.-]*$/.test(file) ? undefined : shortened(file, maxNameLength);
}

/** True for the session of a companion. */
export function isCompanion({ path }: KernelSession): boolean {
  return path.startsWith(companionPathPrefix);
}

function kernelOf(kernel: KernelChoice): { readonly name: string } | { readonly id: string } {
  return kernel.type === "new" ? { name: kernel.specName } : { id: kernel.kernelId };
}

function runningKernel({ id, name, execution_state, connections, last_activity }: KernelModel): RunningKernel {
  return {
    id,
    specName: name ?? "",
    executionState: execution_state ?? "unknown",
    connections: connections ?? 0,
    lastActivity: last_activity ?? undefined,
  };
}

function kernelSession({ id, path, name, type, kernel }: SessionModel): KernelSession {
  return {
    id,
    path: path ?? "",
    name: name ?? "",
    type: type ?? "notebook",
    kernel: kernel == null ? undefined : runningKernel(kernel),
  };
}
