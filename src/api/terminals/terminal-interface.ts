import type { Obstacle } from "../obstacle.ts";
import type { Text } from "../phrase.ts";
import type { TerminalMessage, TerminalSize } from "./messages.ts";

/**
 * The state of a connection to a terminal. `connecting`, `waiting`, and `serverStopped` change automatically. In
 * `credentialRejected`, nothing is sent until `retry`. `ended` and `disposed` are final: the shell has exited, or the
 * server no longer has the terminal.
 */
export type TerminalState =
  | { readonly type: "connecting" | "connected" | "disposed" }
  | { readonly type: "waiting" | "serverStopped" | "credentialRejected"; readonly reason: Text }
  | { readonly type: "ended"; readonly end: "exited" | "gone" };

export type TerminalTimer = "reconnect" | "ping" | "discard" | "size";

/**
 * What happens to a connection. Numbers identify what the effects have asked for: an input with a number that is no
 * longer current is ignored.
 */
export type TerminalInput =
  /** Connects for the first time, or now instead of later. */
  | { readonly type: "retry" }
  | { readonly type: "dispose" }
  /** `isBehind`: much output waits to be displayed. */
  | { readonly type: "typed"; readonly text: string; readonly isBehind: boolean }
  | { readonly type: "resized"; readonly size: TerminalSize }
  /** The response to `check`: undefined if the terminal exists. */
  | { readonly type: "checked"; readonly request: number; readonly obstacle: Obstacle | undefined }
  | { readonly type: "opened"; readonly request: number }
  | { readonly type: "refused"; readonly request: number; readonly obstacle: Obstacle }
  | { readonly type: "messages"; readonly request: number; readonly messages: readonly TerminalMessage[] }
  /** The answer to the newest ping of the socket. */
  | { readonly type: "pong"; readonly request: number }
  | { readonly type: "closed"; readonly request: number; readonly reason: Text }
  /** `bytesReceived`: by the open socket. `isPaused`: the socket is not read. */
  | {
      readonly type: "timer";
      readonly timer: TerminalTimer;
      readonly bytesReceived: number;
      readonly isPaused: boolean;
    };

/** What the machine asks its driver to do. Effects are performed in order. */
export type TerminalEffect =
  /** Request the terminal's model. Respond with `checked`. */
  | { readonly type: "check"; readonly request: number }
  /** Open a socket. Respond with `opened` or `refused`. */
  | { readonly type: "openSocket"; readonly request: number }
  /** Abort `check` or `openSocket`. Their response is ignored. */
  | { readonly type: "abort"; readonly request: number }
  | { readonly type: "send"; readonly request: number; readonly data: string }
  | { readonly type: "ping"; readonly request: number }
  /** Close a socket. With a `reason`, at once and without a close frame. */
  | { readonly type: "closeSocket"; readonly request: number; readonly reason?: string }
  | { readonly type: "setTimer"; readonly timer: TerminalTimer; readonly delayMs: number }
  | { readonly type: "cancelTimer"; readonly timer: TerminalTimer }
  /** Display output. */
  | { readonly type: "output"; readonly text: string }
  /** Output before the next one is missing. */
  | { readonly type: "gap" }
  /** Discard the output that waits to be displayed, and what follows until `keepOutput`. */
  | { readonly type: "discardOutput" | "keepOutput" }
  | { readonly type: "state"; readonly state: TerminalState }
  /** A full-screen program has switched to its screen, or back. */
  | { readonly type: "fullScreen"; readonly isFullScreen: boolean }
  | { readonly type: "log"; readonly text: string };
