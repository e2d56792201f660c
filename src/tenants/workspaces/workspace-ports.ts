import type { PrintedAddress } from "../../api/ports/printed-addresses.ts";
import type { CompanionPlace } from "../companions.ts";

/** The kernel or the terminal that has printed an address. */
export interface PrintedBy {
  readonly place: CompanionPlace;
  /** Such as `forecast.ipynb`. */
  readonly name: string;
}

/** The ports of workspaces that can be forwarded to this computer. */
export interface WorkspacePorts {
  /** Offers to forward ports that a program has named, unless the user doesn't want that. Never rejects. */
  suggest(addresses: readonly PrintedAddress[], by: PrintedBy): Promise<void>;
  /** Forwards the port of a URL unless it already is, and opens it in the browser. */
  open(place: CompanionPlace, port: number, url: URL): Promise<void>;
}

/** What features share of forwarded ports. Their owner loads on first use. */
export class SharedPorts implements WorkspacePorts {
  #load: (() => Promise<WorkspacePorts>) | undefined;

  /** Sets what loads the owner. */
  provide(load: () => Promise<WorkspacePorts>): void {
    this.#load = load;
  }

  async suggest(addresses: readonly PrintedAddress[], by: PrintedBy): Promise<void> {
    await (await this.#load?.())?.suggest(addresses, by);
  }

  async open(place: CompanionPlace, port: number, url: URL): Promise<void> {
    await (await this.#load?.())?.open(place, port, url);
  }
}
