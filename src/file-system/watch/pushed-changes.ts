import type { Companion } from "../../api/companion/companion.ts";
import { maxWatchedDirectories, watchDirectories } from "../../api/companion/operations/watch.ts";

interface PushedChangesParts {
  /** The running companion of the workspace. It isn't started to watch files. */
  readonly companion: () => Companion | undefined;
  readonly directories: () => readonly string[];
  /** True while the window has the focus, and the workspace responds. A subscription stays until `reset`. */
  readonly isActive: () => boolean;
  /** Called with the directories whose changes are reported from now on. They may have changed before. */
  readonly onSubscribed: (directories: readonly string[]) => void;
  /** Called when changes are no longer reported. */
  readonly onEnded: () => void;
  readonly onChanged: (directories: readonly string[]) => void;
}

type State =
  | { readonly type: "idle" }
  | { readonly type: "subscribing"; readonly companion: Companion }
  | {
      readonly type: "subscribed";
      readonly companion: Companion;
      readonly directories: ReadonlySet<string>;
      readonly dispose: () => void;
    }
  /** This companion refused the subscription, or lost it. */
  | { readonly type: "failed"; readonly companion: Companion };

/** The changes of watched directories that the companion of a workspace reports, while there is one. */
export class PushedChanges {
  readonly #parts: PushedChangesParts;
  #state: State = { type: "idle" };

  constructor(parts: PushedChangesParts) {
    this.#parts = parts;
  }

  /** True if changes of the directory are reported, so that nobody has to ask for them. */
  isWatched(directory: string): boolean {
    return this.#state.type === "subscribed" && this.#state.directories.has(directory);
  }

  /** Subscribes if there is a companion, and again if other directories are watched. Ends if the companion has ended. */
  update(): void {
    const companion = this.#parts.companion();
    const directories = this.#parts.directories().slice(0, maxWatchedDirectories);
    const state = this.#state;
    if (companion === undefined || directories.length === 0) {
      this.reset();
    } else if (!this.#parts.isActive()) {
      return;
    } else if (state.type === "idle" || state.companion !== companion) {
      this.#leave();
      void this.#subscribe(companion, directories);
    } else if (state.type === "subscribed" && directories.some((directory) => !state.directories.has(directory))) {
      // Directories that are no longer watched stay in the subscription, which costs less than another one.
      this.#leave();
      void this.#subscribe(companion, directories);
    }
  }

  /** Ends the subscription. */
  reset(): void {
    const wasSubscribed = this.#state.type === "subscribed";
    this.#leave();
    if (wasSubscribed) {
      this.#parts.onEnded();
    }
  }

  #leave(): void {
    if (this.#state.type === "subscribed") {
      this.#state.dispose();
    }
    this.#state = { type: "idle" };
  }

  async #subscribe(companion: Companion, directories: readonly string[]): Promise<void> {
    const subscribing: State = { type: "subscribing", companion };
    this.#state = subscribing;
    const fail = (): void => {
      this.#state = { type: "failed", companion };
      this.#parts.onEnded();
    };
    try {
      let isCurrent = true;
      const subscription = await companion.subscribe(
        watchDirectories,
        { directories: [...directories] },
        {
          onPush: ({ changed }) => (isCurrent ? this.#parts.onChanged(changed) : undefined),
          onFailure: () => (isCurrent ? fail() : undefined),
        },
      );
      const dispose = (): void => {
        isCurrent = false;
        subscription.dispose();
      };
      if (this.#state !== subscribing) {
        dispose();
        return;
      }
      this.#state = { type: "subscribed", companion, directories: new Set(directories), dispose };
      this.#parts.onSubscribed(directories);
      // More may be watched by now.
      this.update();
    } catch {
      // Without it, the directories are polled as without a companion.
      if (this.#state === subscribing) {
        fail();
      }
    }
  }
}
