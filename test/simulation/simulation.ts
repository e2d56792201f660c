// Performs a schedule, and checks the invariants.

import { BrokenInvariant } from "./failure.ts";
import { type Circumstances, checkEnd, checkOrder } from "./invariants.ts";
import { JournalStore } from "./journal-store.ts";
import { Ledger } from "./ledger.ts";
import { type ClientSocket, Gateway, Hub } from "./model/gateway.ts";
import { programText, type Step } from "./model/program.ts";
import { resetOutputs } from "./model/program-run.ts";
import { Random } from "./model/random.ts";
import { ServerModel } from "./model/server-model.ts";
import { VirtualClock } from "./model/virtual-clock.ts";
import type { Action, Schedule } from "./schedule.ts";
import type { MakeWindow, Window } from "./window.ts";

const startsAt = 1_800_000_000_000;
/** Virtual milliseconds that the windows have to finish once everything works again. */
const maxEndMs = 20 * 60_000;
/** Virtual milliseconds after the last run has ended, in which half-open sockets are noticed, and late output arrives. */
const quietMs = 4 * 60_000;
/** Virtual milliseconds after the last cell. */
const lastMs = 60_000;
/** A server closes sockets that sleep for as long. */
const deepSleepMs = 60_000;
/** How often to look whether a closed window has written its journal. */
const maxClosingWaits = 1000;
const lastCell: readonly (readonly Step[])[] = [[{ type: "out" }]];

/** A place for one window after the other. All have the same session and journal. */
interface Place {
  readonly gateway: Gateway;
  readonly journal: JournalStore;
  window: Window | undefined;
  windows: number;
}

/** Performs a schedule. Throws a BrokenInvariant. */
export function simulate(schedule: Schedule, make: MakeWindow): void {
  new Simulation(schedule, make).run();
}

class Simulation {
  readonly #schedule: Schedule;
  readonly #make: MakeWindow;
  readonly #clock = new VirtualClock(startsAt);
  readonly #random: Random;
  readonly #ledger = new Ledger();
  readonly #hub = new Hub();
  readonly #server: ServerModel;
  readonly #places: readonly [Place, Place];
  readonly #circumstances: Circumstances;
  #others = 0;
  #awakeAt = 0;

  constructor(schedule: Schedule, make: MakeWindow) {
    resetOutputs();
    const { world } = schedule;
    this.#schedule = schedule;
    this.#make = make;
    this.#random = new Random(world.seed);
    this.#server = new ServerModel(
      this.#clock,
      this.#random,
      {
        kernel: world.kernel,
        recorderEntries: world.entries,
        maxRate: world.rate,
        changesPorts: world.ports === "new",
      },
      this.#ledger,
    );
    this.#places = [this.#newPlace("first"), this.#newPlace("second")];
    this.#circumstances = {
      hasRecorder: world.recorder === "on" && world.kernel !== "other",
      isConcurrent: world.kernel === "subshells",
      isDisturbed: false,
      hasSilentLoss: false,
      isKernelGone: false,
      isInterrupted: false,
      isReopened: false,
    };
  }

  run(): void {
    this.#windowOf(this.#places[0]);
    for (const { wait, action } of this.#schedule.moments) {
      this.#pass(wait);
      this.#act(action);
    }
    this.#heal();
    this.#finish();
    this.#check();
  }

  #newPlace(name: string): Place {
    return { gateway: this.#newGateway(), journal: new JournalStore(name), window: undefined, windows: 0 };
  }

  #newGateway(): Gateway {
    const { latency } = this.#schedule.world;
    return new Gateway(
      { clock: this.#clock, random: this.#random, server: this.#server, hub: this.#hub },
      { usual: latency, rare: 20 * latency },
    );
  }

  #windowOf(place: Place): Window {
    place.window ??= this.#newWindow(place);
    return place.window;
  }

  #newWindow(place: Place): Window {
    place.windows += 1;
    return this.#make({
      clock: this.#clock,
      random: this.#random,
      gateway: place.gateway,
      journal: place.journal,
      recorder: this.#schedule.world.recorder,
      instance: `${place.journal.journal.sessionId}-${place.windows}`,
      hasRecorder: () => this.#server.kernel?.isAlive === true && this.#server.kernel.recorder !== undefined,
      onChange: (cell) => checkOrder(cell, this.#ledger),
    });
  }

  #pass(milliseconds: number): void {
    const end = this.#clock.now + milliseconds;
    while (this.#clock.step(end));
  }

  #act(action: Action): void {
    if (action.type !== "run" && action.type !== "interrupt" && action.type !== "cancel") {
      this.#circumstances.isDisturbed = true;
    }
    if (action.type === "interrupt" || action.type === "cancel" || action.type === "restart") {
      this.#circumstances.isInterrupted = true;
    }
    switch (action.type) {
      case "noroute":
      case "stopped":
        this.#hub.state = action.type === "noroute" ? "noRoute" : "stopped";
        this.#later(action.ms, () => {
          this.#hub.state = "running";
        });
        break;
      case "down":
        this.#circumstances.isKernelGone = true;
        this.#server.stop();
        for (const { gateway } of this.#places) this.#goOffline(gateway, action.ms);
        break;
      case "lose":
        this.#circumstances.hasSilentLoss = true;
        this.#server.loseMessages(action.count);
        break;
      case "other":
        this.#visit(action.cell, action.ms);
        break;
      case "crash":
        this.#server.killProcess();
        break;
      case "cull":
        this.#circumstances.isKernelGone = true;
        this.#server.shutDown();
        break;
      default: {
        const place = this.#places[action.window];
        this.#actIn(place, this.#windowOf(place), action);
      }
    }
  }

  #actIn(place: Place, window: Window, action: Extract<Action, { readonly window: 0 | 1 }>): void {
    const { gateway } = place;
    switch (action.type) {
      case "run":
        window.run(action.cells);
        break;
      case "interrupt":
        window.interrupt();
        break;
      case "cancel":
        window.cancelNewest();
        break;
      case "restart":
        window.restart();
        break;
      case "renew":
        window.retry();
        break;
      case "close":
        gateway.cut("clean");
        break;
      case "reset":
        gateway.cut("reset");
        break;
      case "freeze":
        gateway.freeze("both");
        break;
      case "freezeup":
        gateway.freeze("up");
        break;
      case "freezedown":
        gateway.freeze("down");
        break;
      case "stall":
        gateway.stall(action.ms);
        break;
      case "offline":
        this.#goOffline(gateway, action.ms);
        break;
      case "expire":
        gateway.hasValidToken = false;
        gateway.cut("reset");
        this.#later(action.ms, () => this.#renew(place));
        break;
      case "sleep":
        window.sleep(action.ms);
        this.#awakeAt = Math.max(this.#awakeAt, this.#clock.now + action.ms);
        if (action.ms > deepSleepMs) gateway.freeze("both");
        else gateway.stall(action.ms);
        break;
      case "absent":
        window.setPresent(false);
        this.#later(action.ms, () => place.window?.setPresent(true));
        break;
      case "reload":
      case "kill":
        this.#reopen(place, window, action);
        break;
    }
  }

  #goOffline(gateway: Gateway, milliseconds: number): void {
    gateway.isOnline = false;
    gateway.cut("reset");
    this.#later(milliseconds, () => {
      gateway.isOnline = true;
    });
  }

  #renew({ gateway, window }: Place): void {
    gateway.hasValidToken = true;
    window?.retry();
  }

  #reopen(place: Place, window: Window, { type, ms }: { readonly type: string; readonly ms: number }): void {
    this.#circumstances.isReopened = true;
    this.#pass(Math.max(0, this.#awakeAt - this.#clock.now));
    if (type === "kill") {
      window.kill();
    } else {
      window.close();
      // The editor waits until the window has written.
      for (let waits = 0; waits < maxClosingWaits && window.openCalls.includes("finishWriting"); waits += 1)
        this.#pass(5);
    }
    this.#pass(ms);
    const next = this.#newWindow(place);
    place.window = next;
    const known = new Set(place.journal.journal.entries.map(({ messageId }) => messageId));
    const forgotten = [...window.sent].find((messageId) => !known.has(messageId));
    if (forgotten !== undefined && this.#server.hasKernel && this.#ledger.ends === 0) {
      throw new BrokenInvariant("a cell that was sent is not in the journal", forgotten);
    }
    next.resume(window.cells, type === "kill");
  }

  /** Another client connects, runs a cell, and leaves. */
  #visit(cell: readonly Step[], milliseconds: number): void {
    this.#others += 1;
    const session = `other-${this.#others}`;
    const gateway = this.#newGateway();
    const socket: ClientSocket = gateway.open(session, {
      opened: () => {
        if (cell.length === 0) return;
        const header = { msg_id: `${session}-cell`, msg_type: "execute_request", session };
        socket.send({ channel: "shell", header, content: { code: programText(cell), silent: false } });
      },
      messages: () => {},
      ended: () => {},
      refused: () => {},
    });
    this.#later(milliseconds, () => socket.close());
  }

  #later(milliseconds: number, work: () => void): void {
    this.#clock.schedule(milliseconds, work);
  }

  /** Everything works again. */
  #heal(): void {
    this.#pass(Math.max(0, this.#awakeAt - this.#clock.now));
    this.#hub.state = "running";
    for (const place of this.#places) {
      place.gateway.isOnline = true;
      this.#renew(place);
      place.window?.setPresent(true);
    }
  }

  /** Waits until all runs have ended, and runs a last cell, after which nothing that was published is unknown. */
  #finish(): void {
    this.#waitForEnds();
    this.#pass(quietMs);
    this.#waitForEnds();
    if (this.#server.hasKernel) {
      for (const { window } of this.#places) {
        window?.run(lastCell);
        this.#waitForEnds();
      }
    }
    this.#pass(lastMs);
  }

  #waitForEnds(): void {
    const end = this.#clock.now + maxEndMs;
    for (;;) {
      const isPending = this.#places.some(({ window }) => window !== undefined && window.pending > 0);
      if (!isPending || this.#clock.now >= end) return;
      this.#pass(10_000);
      this.#releaseLostQuestion();
    }
  }

  /** Without a concurrent recorder, a question that got lost can't be shown again: the user interrupts the cell. */
  #releaseLostQuestion(): void {
    // Another client that has left does not answer.
    for (let other = 1; other <= this.#others; other += 1) {
      if (this.#ledger.get(`other-${other}-cell`)?.isAsking === true) this.#server.interrupt();
    }
    const { hasRecorder, isConcurrent } = this.#circumstances;
    const isKept = hasRecorder && isConcurrent && !this.#ledger.hasEvicted;
    for (const { window } of this.#places) {
      for (const [messageId, cell] of window?.cells ?? []) {
        const run = this.#ledger.get(messageId);
        const isOver = cell.outcomes.length > 0 || cell.isFinishedEarlier;
        const isShown = isKept && run?.isRecorded === true && !isOver;
        if (run?.isAsking === true && !cell.isAsking && !isShown) {
          this.#circumstances.isInterrupted = true;
          window?.interrupt();
        }
      }
    }
  }

  #check(): void {
    if (this.#server.dropped.size > 0) this.#circumstances.isDisturbed = true;
    for (const { window } of this.#places) {
      if (window === undefined) continue;
      for (const cell of window.cells.values()) checkEnd(cell, this.#ledger, this.#circumstances);
      if (window.openCalls.length > 0) {
        throw new BrokenInvariant("a call is not settled", window.openCalls.join(", "));
      }
      if (window.awaitsMessages) throw new BrokenInvariant("messages are awaited after the end", "");
      const kept = Object.entries(window.sizes).filter(([, size]) => size > 0);
      if (kept.length > 0) {
        const tables = kept.map(([name, size]) => `${name} ${size}`).join(", ");
        throw new BrokenInvariant(`memory is kept: ${kept[0]?.[0] ?? ""}`, tables);
      }
    }
  }
}
