import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { KernelConnection, KernelEvent } from "../../../src/api/kernels/connection/connection.ts";
import { openKernelConnection } from "../../../src/api/kernels/connection/open-connection.ts";
import type { Execution } from "../../../src/api/kernels/executions/executions.ts";
import { type SocketProxy, startSocketProxy } from "../../harness/socket-proxy.ts";
import { until } from "../../harness/until.ts";
import { MemoryJournal } from "../rig.ts";
import { ForwardClock } from "./forward-clock.ts";
import { codeOf, gateFile, type Moment, markFile, runsFile } from "./moments.ts";
import { ShownCell } from "./shown-cell.ts";
import type { FaultWorld } from "./world.ts";

/** Seconds that a step may take. They only end what hangs. */
const patience = 180;
/** The pings and limits are those of users. Only the pauses between attempts are short. */
const times = { firstPauseMs: 20, maxPauseMs: 200 };

/** A notebook at one moment, behind its own proxy, which breaks its connection. */
export class FaultSession {
  readonly moment: Moment;
  readonly proxy: SocketProxy;
  readonly clock = new ForwardClock();
  readonly #world: FaultWorld;
  readonly #target: string;
  readonly #prefix: string;
  #journal = new MemoryJournal();
  #token: string;
  #connection: KernelConnection | undefined;
  #cells: readonly ShownCell[] = [];
  #executions: readonly Execution[] = [];
  readonly events: KernelEvent[] = [];
  /** Attempts to connect so far. */
  tries = 0;

  private constructor(world: FaultWorld, moment: Moment, target: string, proxy: SocketProxy, prefix: string) {
    this.#world = world;
    this.moment = moment;
    this.#target = target;
    this.proxy = proxy;
    this.#prefix = prefix;
    this.#token = world.token;
  }

  /** Connects, runs the cells, and waits until they have reached the moment. */
  static async begin(world: FaultWorld, moment: Moment, target: string, prefix: string): Promise<FaultSession> {
    const session = new FaultSession(world, moment, target, await startSocketProxy(target), prefix);
    session.#cells = moment.codes.map((code, index) => new ShownCell(codeOf(code, prefix, index)));
    await session.#connect();
    await session.connection.ready();
    if (moment.isRunWhileAway) {
      await session.#runFirstCell();
    } else {
      await session.#run();
    }
    const [first] = session.#cells;
    const { reached } = moment;
    if (reached !== undefined) {
      await session.until(
        "the moment",
        () => first?.text() === reached.text && session.#exists(markFile(prefix, reached.mark)),
      );
    }
    if (moment.asksForInput) {
      await session.until("the question", () => first?.of("inputRequest").length === 1);
    }
    return session;
  }

  get connection(): KernelConnection {
    if (this.#connection === undefined) throw new Error("There is no connection.");
    return this.#connection;
  }

  get cells(): readonly ShownCell[] {
    return this.#cells;
  }

  async until(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
    await until(`${this.#prefix}: ${what}`, holds, { seconds: patience });
  }

  setToken(token: string): void {
    this.#token = token;
  }

  /** Runs the cells of a moment that comes before sending. */
  async runWhileAway(): Promise<void> {
    if (this.moment.isRunWhileAway && this.#executions.length === 0) {
      await this.#run();
    }
  }

  /** The kernel's work while no client is connected. */
  async workAlone(): Promise<void> {
    const { away } = this.moment;
    if (away === undefined) {
      return;
    }
    await this.#open(away.gate);
    await this.until("the work of the kernel", () => this.#exists(markFile(this.#prefix, away.mark)));
    if (away.isEnd) {
      await this.until("the end of the kernel's work", async () => {
        const kernel = await this.#world.server.kernel(this.connection.kernelId);
        return kernel?.executionState === "idle";
      });
    }
  }

  /** The window is gone, and only the journal remains. */
  closeWindow(): void {
    const kept = new MemoryJournal();
    for (const [kernelId, journal] of this.#journal.stored) kept.stored.set(kernelId, structuredClone(journal));
    this.#journal = kept;
    this.connection.dispose();
  }

  /** The window is opened again, and finds what it had sent. `isBackedUp`: it shows the earlier outputs. */
  async openWindow({ isBackedUp }: { readonly isBackedUp: boolean }): Promise<void> {
    this.#cells = this.#cells.map(({ code, saved }) => new ShownCell(code, isBackedUp ? saved : ""));
    await this.#connect();
    this.#executions = await this.connection.resume(({ cellIndex }) => this.#cells[cellIndex]);
  }

  /** Waits until nothing runs, and acts as the user meanwhile. */
  async finish(): Promise<void> {
    if (this.moment.back !== undefined) {
      await this.#open(this.moment.back);
    }
    await this.until("the end of the cells", () => {
      for (const { entry, phase } of this.#executions) {
        if (phase !== "ended" && this.connection.state.type === "connected") {
          this.connection.sendInputReply(entry.messageId, "Ada");
        }
      }
      return this.#cells.every((cell) => cell.of("ended").length > 0);
    });
    // The recorder's output may arrive after the reply that the server had stored.
    const isWhole = (): boolean =>
      this.#cells.every((cell, index) => cell.outcome?.type !== "ok" || cell.text() === this.moment.expected[index]);
    await this.until("all output", isWhole).catch(() => undefined);
  }

  /** How many times each cell ran in the kernel. */
  runs(): Promise<readonly number[]> {
    return Promise.all(
      this.#cells.map(async (_, index) => {
        const file = join(this.#world.root, runsFile(this.#prefix, index));
        return existsSync(file) ? (await readFile(file, "utf8")).length : 0;
      }),
    );
  }

  async dispose(): Promise<void> {
    this.#connection?.dispose();
    await this.proxy.stop();
  }

  async #connect(): Promise<void> {
    const address = this.proxy.url(this.#target);
    const connection = await openKernelConnection({
      client: async () => {
        this.tries += 1;
        return this.#world.clientAt(address, this.#token);
      },
      kernelId: this.#world.kernelOf(this.moment),
      journal: this.#journal,
      recorder: "on",
      clock: this.clock,
      times,
    });
    connection.onKernel((event) => this.events.push(event));
    this.#connection = connection;
  }

  /**
   * Waits until cells are sent on the open connection. On a slow machine, the kernel is not yet prepared when the
   * connection is ready, and a cell would wait for the next connection.
   */
  async #runFirstCell(): Promise<void> {
    const executions = await this.connection.execute([new ShownCell("pass").request(0)]);
    for (const { ended, entry } of executions) {
      await ended;
      await this.connection.deleteExecutions([entry.messageId]);
    }
  }

  async #run(): Promise<void> {
    this.#executions = await this.connection.execute(this.#cells.map((cell, index) => cell.request(index)));
  }

  #exists(name: string): boolean {
    return existsSync(join(this.#world.root, name));
  }

  async #open(gate: string): Promise<void> {
    await writeFile(join(this.#world.root, gateFile(this.#prefix, gate)), "");
  }
}
