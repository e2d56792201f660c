import { roundTripToWindow } from "./replaced-items.ts";

type Keys = ReadonlySet<string>;

interface ListSelectionParts {
  /** Keys of rows that can't be selected, although the editor shows a box for them. */
  readonly locked: Iterable<string>;
  /** Puts the current rows into the quick pick. */
  readonly showRows: () => void;
  /** Selects the rows with these keys in the quick pick. */
  readonly select: (keys: Keys) => void;
  /** Resolves when the window has taken what was sent, and everything that it reported before has arrived. */
  readonly receivedByWindow?: () => Promise<void>;
}

/** An update on its way to the window, and what the window has reported since it was sent. */
interface Update {
  readonly replacesRows: boolean;
  readonly selected: Keys;
  readonly before: Keys;
  readonly reports: Keys[];
}

/**
 * The selection of a quick pick whose rows arrive while it is open, as keys of the rows.
 *
 * The editor's window keeps its own selection, and both sides hear of the other's changes late. When the window gets new
 * rows, it empties its selection and then applies the one that came with them, which may be older than the user's last
 * click. So there is only one update at a time, and the user's choices are what the window reports before and after the
 * reports that the update itself causes. A choice that the update has overwritten is sent again.
 */
export class ListSelection {
  readonly #parts: Required<ListSelectionParts>;
  readonly #locked: Keys;
  #chosen: Keys = new Set();
  #reported: Keys = new Set();
  #update: Update | undefined;
  #due: "nothing" | "selection" | "rows" = "nothing";
  #landing: Promise<void> = Promise.resolve();
  #isClosed = false;

  constructor(parts: ListSelectionParts) {
    this.#parts = { receivedByWindow: roundTripToWindow, ...parts };
    this.#locked = new Set(parts.locked);
  }

  /** Shows the current rows, as soon as the window has the previous ones. */
  replaceRows(): void {
    this.#due = "rows";
    this.#send();
  }

  /** Takes what the window has selected now. */
  report(keys: Keys): void {
    if (this.#update === undefined) {
      this.#choose(this.#reported, keys);
      this.#reported = keys;
      this.#correct();
    } else {
      this.#update.reports.push(keys);
    }
  }

  /** The keys that the user has chosen until now, without those that can't be selected. */
  async chosen(): Promise<Keys> {
    await this.#landing;
    return this.#chosen;
  }

  /** Sends nothing from now on, because the quick pick is closed. */
  close(): void {
    this.#isClosed = true;
  }

  #send(): void {
    if (this.#isClosed || this.#update !== undefined || this.#due === "nothing") {
      return;
    }
    const replacesRows = this.#due === "rows";
    this.#due = "nothing";
    const selected = this.#chosen;
    this.#update = { replacesRows, selected, before: this.#reported, reports: [] };
    if (replacesRows) {
      this.#parts.showRows();
    }
    this.#parts.select(selected);
    const landed = (): void => this.#landed();
    // It fails only with the connection to the window, which nothing here depends on then.
    this.#landing = this.#parts.receivedByWindow().then(landed, landed);
  }

  #landed(): void {
    if (this.#update === undefined) {
      return;
    }
    const { before, reports } = this.#update;
    const { start, count } = ownReports(this.#update);
    const states = [before, ...reports];
    for (const [index, keys] of reports.entries()) {
      if (index < start || index >= start + count) {
        this.#choose(states[index] ?? before, keys);
      }
    }
    this.#reported = states.at(-1) ?? before;
    this.#update = undefined;
    if (reports.length === 0) {
      // The window didn't apply what was sent, and wouldn't the next time.
      this.#send();
    } else {
      this.#correct();
    }
  }

  #choose(before: Keys, after: Keys): void {
    const added = after.difference(before).difference(this.#locked);
    this.#chosen = this.#chosen.union(added).difference(before.difference(after));
  }

  /** Selects again what the user has chosen, if the window has something else. */
  #correct(): void {
    if (this.#due === "nothing" && !isSame(this.#reported, this.#chosen)) {
      this.#due = "selection";
    }
    this.#send();
  }
}

/** Which of the reports the update caused by itself. Those before and after are the user's. */
function ownReports({ replacesRows, selected, before, reports }: Update): { start: number; count: number } {
  for (const [start, state] of [before, ...reports].entries()) {
    const empties = replacesRows && state.size > 0;
    const isApplied = !isSame(empties ? new Set() : state, selected);
    const own = [...(empties ? [new Set<string>()] : []), ...(isApplied ? [selected] : [])];
    const seen = reports.slice(start, start + own.length);
    if (own.length > 0 && seen.length === own.length && seen.every((keys, index) => isSame(keys, own[index] ?? keys))) {
      return { start, count: own.length };
    }
  }
  return { start: 0, count: 0 };
}

function isSame(left: Keys, right: Keys): boolean {
  return left.size === right.size && left.isSubsetOf(right);
}
