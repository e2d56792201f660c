import * as vscode from "vscode";
import { monotonicClock } from "../api/clock.ts";
import { defaultAbsentAfterMs, type Presence, PresenceOfUse } from "../api/presence.ts";

const section = "platformWorkbench.workspaces";
const setting = "keepRunning";

/** True if the user wants workspaces to run on while nobody uses the window. */
export function keepsRunning(): boolean {
  return vscode.workspace.getConfiguration(section).get<boolean>(setting, false);
}

/** The presence of a user, from the focus and the input of the window. */
export class WindowActivity implements Presence, vscode.Disposable {
  readonly #presence: PresenceOfUse;
  readonly #listeners: vscode.Disposable;

  /** `absentAfterMs`: milliseconds without focus or input after which nobody is present. */
  constructor(absentAfterMs = defaultAbsentAfterMs) {
    this.#presence = new PresenceOfUse(monotonicClock, absentAfterMs);
    const update = ({ focused, active }: vscode.WindowState): void => this.#presence.use(focused && active);
    this.#presence.setAlwaysPresent(keepsRunning());
    update(vscode.window.state);
    this.#listeners = vscode.Disposable.from(
      vscode.window.onDidChangeWindowState(update),
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration(`${section}.${setting}`)) {
          this.#presence.setAlwaysPresent(keepsRunning());
        }
      }),
    );
  }

  get isPresent(): boolean {
    return this.#presence.isPresent;
  }

  onChange(listener: () => void): vscode.Disposable {
    return vscode.Disposable.from(this.#presence.onChange(listener));
  }

  dispose(): void {
    this.#listeners.dispose();
    this.#presence.dispose();
  }
}
