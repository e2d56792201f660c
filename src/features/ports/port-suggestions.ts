import type * as vscode from "vscode";
import type { PrintedAddress } from "../../api/ports/printed-addresses.ts";
import type { CompanionPlace } from "../../tenants/companions.ts";
import type { PrintedBy } from "../../tenants/workspaces/workspace-ports.ts";
import type { PortAddress } from "./forwarded-ports.ts";
import { type ListeningPorts, placeKey } from "./listening-ports.ts";

/** A port that the user may want to forward. `printed`: its address is in some output. */
export interface PortSuggestion extends PortAddress {
  readonly type: "printed" | "listening";
  /** What has printed it, or the program that listens. */
  readonly name: string;
  /** Undefined if no URL was printed. */
  readonly url: URL | undefined;
}

/** `output`: only ports whose address some output shows. */
export type SuggestionMode = "ask" | "output" | "off";

export interface PortSuggestionsParts {
  readonly listening: Pick<ListeningPorts, "live" | "onDidChange">;
  readonly isForwarded: (address: PortAddress) => boolean;
  readonly mode: () => SuggestionMode;
  /** Asks the user. Resolves with their decision. */
  readonly offer: (suggestion: PortSuggestion) => Promise<void>;
}

interface SuggestedPlace {
  /** Ports on which something has listened before. */
  readonly seen: Set<number>;
  /** Those on which a program has begun to listen since, and still does. */
  begun: ReadonlySet<number>;
  /** Those on which a program has listened last. */
  listed: ReadonlySet<number>;
  /** Ports that were suggested and still listen. */
  readonly suggested: Set<number>;
  /** Printed ports on which nothing listens yet. */
  readonly waiting: Map<number, PortSuggestion>;
  /** Number of suggestions that no output has caused. */
  listeningCount: number;
  hasBegun: boolean;
}

/** The name that the companion gives kernels. */
const nameOfKernels = "kernel";
/** More new ports at once are the parts of one program, such as a cluster. */
const maxAtOnce = 3;
const maxListening = 10;
const maxWaiting = 20;

/**
 * Decides which ports to suggest: those whose address a kernel or a terminal has printed, once for each of them, and
 * those on which a program begins to listen while a companion reports that. Ports of Jupyter and of kernels are never
 * suggested while a companion runs, which leaves them out of its list.
 */
export class PortSuggestions implements vscode.Disposable {
  readonly #parts: PortSuggestionsParts;
  readonly #places = new Map<string, SuggestedPlace>();
  readonly #asking = new Set<string>();
  readonly #listener: vscode.Disposable;

  constructor(parts: PortSuggestionsParts) {
    this.#parts = parts;
    this.#listener = parts.listening.onDidChange((place) => this.#listed(place));
  }

  /** Takes ports from some output. A kernel or a terminal passes each of its ports once. */
  printed(addresses: readonly PrintedAddress[], { place, name }: PrintedBy): void {
    if (this.#parts.mode() === "off") {
      return;
    }
    const { tenantId, workspaceId } = place;
    const known = this.#of(place);
    const live = this.#parts.listening.live(place);
    for (const { port, url, isAnnounced } of addresses) {
      const suggestion: PortSuggestion = { type: "printed", tenantId, workspaceId, port, name, url };
      if (live === undefined) {
        if (url !== undefined && isAnnounced) {
          this.#offer(suggestion, known);
        }
        continue;
      }
      const listener = live.find((one) => one.port === port);
      if (known.suggested.has(port)) {
        // By another kernel or terminal, or because it began to listen.
      } else if (listener !== undefined) {
        // A mere mention is that of an app only if something has begun to serve it, or if a cell serves it.
        if (isAnnounced || known.begun.has(port) || listener.name === nameOfKernels) {
          this.#offer(suggestion, known);
        }
      } else if (known.waiting.size < maxWaiting) {
        known.waiting.set(port, suggestion);
      }
    }
  }

  /** Removes the workspaces of a tenant, because the user has signed out. */
  remove(tenantId: string): void {
    for (const key of [...this.#places.keys()].filter((one) => one.startsWith(`${tenantId}/`))) {
      this.#places.delete(key);
    }
  }

  dispose(): void {
    this.#listener.dispose();
    this.#places.clear();
  }

  #listed(place: CompanionPlace): void {
    const ports = this.#parts.listening.live(place);
    if (ports === undefined) {
      return;
    }
    const known = this.#of(place);
    const { tenantId, workspaceId } = place;
    const listed = new Set(ports.map(({ port }) => port));
    for (const port of known.suggested) {
      if (!listed.has(port)) {
        known.suggested.delete(port);
      }
    }
    for (const [port, suggestion] of known.waiting) {
      if (listed.has(port)) {
        known.waiting.delete(port);
        this.#offer(suggestion, known);
      }
    }
    const isFirst = !known.hasBegun;
    known.hasBegun = true;
    known.begun = new Set([...listed].filter((port) => !isFirst && (known.begun.has(port) || !known.listed.has(port))));
    known.listed = listed;
    const fresh = ports.filter(({ port }) => !known.seen.has(port));
    for (const { port } of fresh) {
      known.seen.add(port);
    }
    const wanted = fresh.filter(({ name, isEphemeral }) => name !== "" && !isEphemeral);
    if (isFirst || wanted.length > maxAtOnce || this.#parts.mode() !== "ask") {
      return;
    }
    for (const { port, name } of wanted) {
      if (!known.suggested.has(port) && known.listeningCount < maxListening) {
        known.listeningCount += 1;
        this.#offer({ type: "listening", tenantId, workspaceId, port, name, url: undefined }, known);
      }
    }
  }

  #offer(suggestion: PortSuggestion, known: SuggestedPlace): void {
    const key = `${placeKey(suggestion)}/${suggestion.port}`;
    if (this.#asking.has(key) || this.#parts.mode() === "off" || this.#parts.isForwarded(suggestion)) {
      return;
    }
    known.suggested.add(suggestion.port);
    this.#asking.add(key);
    void this.#parts.offer(suggestion).finally(() => this.#asking.delete(key));
  }

  #of(place: CompanionPlace): SuggestedPlace {
    const key = placeKey(place);
    const known = this.#places.get(key) ?? {
      seen: new Set<number>(),
      begun: new Set<number>(),
      listed: new Set<number>(),
      suggested: new Set<number>(),
      waiting: new Map<number, PortSuggestion>(),
      listeningCount: 0,
      hasBegun: false,
    };
    this.#places.set(key, known);
    return known;
  }
}
