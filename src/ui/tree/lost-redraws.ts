/** Milliseconds that the editor may take to ask for what was drawn as loading, and how often it is told again. */
const askingTakes = 2_000;
const mostReminders = 5;

interface ShownList {
  readonly tenantId: string;
}

/**
 * The editor was seen to lose a redrawing while it was busy with another one: a list that had been read went on to show as
 * loading. Who knows what was answered last tells the editor again.
 */
export class LostRedraws {
  readonly #shownLoading = new Set<ShownList>();
  readonly #timers = new Map<ShownList, NodeJS.Timeout>();

  /** The editor was given the list's rows as they are now. */
  answered(list: ShownList, isLoading: boolean): void {
    clearTimeout(this.#timers.get(list));
    this.#timers.delete(list);
    if (isLoading) {
      this.#shownLoading.add(list);
    } else {
      this.#shownLoading.delete(list);
    }
  }

  /** The list was read, and the editor was told so by `redraw`. */
  told(list: ShownList, redraw: () => void, reminders = mostReminders): void {
    if (!this.#shownLoading.has(list) || reminders === 0) {
      return;
    }
    clearTimeout(this.#timers.get(list));
    const remind = (): void => {
      redraw();
      this.told(list, redraw, reminders - 1);
    };
    this.#timers.set(list, setTimeout(remind, askingTakes));
  }

  /** Nobody looks any more. */
  forget(isMeant: (tenantId: string) => boolean = () => true): void {
    for (const list of [...this.#shownLoading].filter(({ tenantId }) => isMeant(tenantId))) {
      this.answered(list, false);
    }
  }
}
