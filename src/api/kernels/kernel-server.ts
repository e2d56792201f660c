import { nameOf } from "../catalogue/content-path.ts";
import type { CallOptions, ContentClient } from "../client/client.ts";
import { hasStatus } from "../http/errors.ts";
import { lazy } from "../lazy.ts";
import { shortened } from "../text.ts";
import type { KernelChoice, KernelSession, KernelSpec, KernelSupport, RunningKernel } from "./models.ts";
import {
  createSession,
  deleteSession,
  getKernel,
  interruptKernel,
  type KernelAnswer,
  listKernelSpecs,
  listKernels,
  listSessions,
  restartKernel,
  type SessionAnswer,
  shutDownKernel,
  updateSession,
} from "./operations.ts";

/** Kernels and sessions that are taken of one list. */
const mostItems = 1000;
/** Characters of a name that a server gives. */
const longestName = 200;

/** The kernels and sessions of one content server. Every method throws a PlatformError when the server refuses. */
export class KernelServer {
  readonly #client: () => Promise<ContentClient>;
  readonly #support: () => Promise<KernelSupport>;

  /** `client` is asked for at each call: the server may move, and its token may change. */
  constructor(client: () => Promise<ContentClient>) {
    this.#client = client;
    this.#support = lazy(() => this.#readSupport());
  }

  /** Whether the server runs kernels, and which. It is asked once. */
  support(): Promise<KernelSupport> {
    return this.#support();
  }

  async kernels(options: CallOptions = {}): Promise<readonly RunningKernel[]> {
    const kernels = await (await this.#client()).call(listKernels, {}, options);
    return kernels.slice(0, mostItems).map(runningKernel);
  }

  /** A kernel's state; undefined for one that the server does not know, or no longer knows. */
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

  async sessions(options: CallOptions = {}): Promise<readonly KernelSession[]> {
    const sessions = await (await this.#client()).call(listSessions, {}, options);
    return sessions.slice(0, mostItems).map(kernelSession);
  }

  /**
   * Opens the session of a notebook. A session that exists for the path is given as it is, with the kernel that it has
   * (Jupyter Server), so that several clients of one notebook share its kernel.
   */
  async openSession(path: string, kernel: KernelChoice, options: CallOptions = {}): Promise<KernelSession> {
    const body = { path, name: nameOf(path), type: "notebook", kernel: kernelOf(kernel) } as const;
    return kernelSession(await (await this.#client()).call(createSession, { body }, options));
  }

  /** Follows a notebook that was renamed or moved. The kernel keeps running, in the directory that it was started in. */
  async moveSession(sessionId: string, path: string): Promise<KernelSession> {
    const body = { path, name: nameOf(path) };
    return kernelSession(await (await this.#client()).call(updateSession, { sessionId, body }));
  }

  /** Gives a session another kernel. Jupyter Server ends the kernel that it had. */
  async changeKernel(sessionId: string, kernel: KernelChoice): Promise<KernelSession> {
    const body = { kernel: kernelOf(kernel) };
    return kernelSession(await (await this.#client()).call(updateSession, { sessionId, body }));
  }

  /** Ends a session and its kernel. One that no longer exists is not a failure. */
  async endSession(sessionId: string): Promise<void> {
    await unlessGone((await this.#client()).call(deleteSession, { sessionId }));
  }

  async interrupt(kernelId: string): Promise<void> {
    await (await this.#client()).call(interruptKernel, { kernelId });
  }

  async restart(kernelId: string): Promise<void> {
    await (await this.#client()).call(restartKernel, { kernelId });
  }

  /** Ends a kernel. One that no longer exists is not a failure. */
  async shutDown(kernelId: string): Promise<void> {
    await unlessGone((await this.#client()).call(shutDownKernel, { kernelId }));
  }

  async #readSupport(): Promise<KernelSupport> {
    try {
      const { default: defaultName, kernelspecs } = await (await this.#client()).call(listKernelSpecs, {});
      const specs = Object.entries(kernelspecs)
        .slice(0, mostItems)
        .map(
          ([name, { spec, resources }]): KernelSpec => ({
            name,
            displayName: shortened(spec.display_name ?? name, longestName),
            language: shortened(spec.language ?? "", longestName),
            logoPath: logoPathOf(name, resources ?? {}),
          }),
        );
      return specs.length === 0
        ? { type: "none" }
        : { type: "available", defaultName: defaultName ?? specs[0]?.name ?? "", specs };
    } catch (error) {
      if (hasStatus(error, 404)) {
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

/** Where the server has the logo: what it names lies below its own address, and may have a prefix of its own. */
function logoPathOf(name: string, resources: Readonly<Record<string, unknown>>): string | undefined {
  const logos = ["logo-svg", "logo-64x64", "logo-32x32"];
  const path = logos.map((logo) => resources[logo]).find((value) => typeof value === "string");
  const file = path?.slice(path.lastIndexOf("/") + 1);
  return file === undefined || !/^[\w.-]+$/.test(file) ? undefined : `kernelspecs/${encodeURIComponent(name)}/${file}`;
}

function kernelOf(kernel: KernelChoice): { readonly name: string } | { readonly id: string } {
  return kernel.type === "new" ? { name: kernel.specName } : { id: kernel.kernelId };
}

function runningKernel({ id, name, execution_state, connections, last_activity }: KernelAnswer): RunningKernel {
  return {
    id,
    specName: name ?? "",
    executionState: execution_state ?? "unknown",
    connections: connections ?? 0,
    lastActivity: last_activity ?? undefined,
  };
}

function kernelSession({ id, path, name, type, kernel }: SessionAnswer): KernelSession {
  return {
    id,
    path: path ?? "",
    name: name ?? "",
    type: type ?? "notebook",
    kernel: kernel == null ? undefined : runningKernel(kernel),
  };
}
