import type * as vscode from "vscode";
import { attachProgram } from "../../api/companion/attach.ts";
import type { Companion } from "../../api/companion/companion.ts";
import { CompanionUnavailableError } from "../../api/companion/errors.ts";
import type { KernelConnection } from "../../api/kernels/connection/connection.ts";
import { phrase } from "../../api/phrase.ts";
import type { OpenKernel, OpenKernelEvent, SharedOpenKernels } from "../../tenants/open-kernels.ts";
import type { NotebookKernelEvent } from "./notebook-connection.ts";
import type { NotebookKernel } from "./notebook-kernel.ts";
import type { NotebookKernels } from "./notebook-kernels.ts";

/** What other features see of the open notebooks' kernels. Owns the companion's programs in them. */
export class PublishedKernels implements vscode.Disposable {
  readonly #kernels: NotebookKernels;
  readonly #published = new WeakMap<NotebookKernel, OpenKernel>();
  readonly #programs = new WeakMap<KernelConnection, Promise<Companion>>();
  readonly #subscription: vscode.Disposable;

  constructor(kernels: NotebookKernels, shared: SharedOpenKernels) {
    this.#kernels = kernels;
    shared.provide(this);
    this.#subscription = kernels.onEvent(({ kernel, event }) => {
      if (event.type === "kernel" && event.event.type !== "activity" && kernel.connection !== undefined) {
        // Its process has ended. The program itself hears of that after those who ask for it now.
        this.#programs.delete(kernel.connection);
      }
      const published = eventOf(event);
      if (published !== undefined) {
        shared.notify(this.#publish(kernel), published);
      }
    });
  }

  find(notebook: vscode.NotebookDocument): OpenKernel | undefined {
    const kernel = this.#kernels.find(notebook);
    return kernel === undefined ? undefined : this.#publish(kernel);
  }

  dispose(): void {
    this.#subscription.dispose();
  }

  #publish(kernel: NotebookKernel): OpenKernel {
    const known = this.#published.get(kernel);
    if (known !== undefined) {
      return known;
    }
    const published: OpenKernel = {
      notebook: kernel.notebook,
      place: kernel.workspace.address,
      get path() {
        return kernel.path;
      },
      get language() {
        return kernel.controller.spec.language.toLowerCase();
      },
      get connection() {
        return kernel.connection;
      },
      get isFollowing() {
        return kernel.isFollowing;
      },
      connect: async () => (await kernel.connected()).connection,
      program: () => this.#program(kernel),
    };
    this.#published.set(kernel, published);
    return published;
  }

  #program({ connection }: NotebookKernel): Promise<Companion> {
    if (connection === undefined) {
      const reason = phrase`The notebook's kernel isn't connected.`;
      return Promise.reject(new CompanionUnavailableError("off", reason));
    }
    const known = this.#programs.get(connection);
    if (known !== undefined) {
      return known;
    }
    const program = attachProgram(connection);
    this.#programs.set(connection, program);
    const remove = (): void => {
      if (this.#programs.get(connection) === program) {
        this.#programs.delete(connection);
      }
    };
    // The kernel's next process needs it again.
    program.then((companion) => (companion.end === undefined ? companion.onEnd(remove) : remove()), remove);
    return program;
  }
}

function eventOf(event: NotebookKernelEvent): OpenKernelEvent | undefined {
  switch (event.type) {
    case "status":
    case "connection":
    case "takenOver":
      return { type: "connection" };
    case "kernel":
      return event.event.type === "activity"
        ? undefined
        : { type: event.event.type === "restarted" ? "restarted" : "connection" };
    case "ended":
      return { type: "cellEnded", cell: event.run.cell };
    case "input":
    case "printed":
    case "widgets":
      return undefined;
  }
}
