import * as vscode from "vscode";
import * as z from "zod/mini";
import { type DebugOutput, debugRequest } from "../../api/debugging/debug-message.ts";
import type { DebugSession } from "../../api/debugging/debug-session.ts";
import { fieldsOf } from "../../api/kernels/wire/message-codec.ts";

/** Requests whose failures the editor shows in place. A quick step makes them fail all the time. */
const shownInPlace: ReadonlySet<string> = new Set(["completions", "scopes", "stackTrace", "threads", "variables"]);

/** The adapter that the editor talks to, in this process. */
export class InlineAdapter implements vscode.DebugAdapter {
  readonly #messages = new vscode.EventEmitter<vscode.DebugProtocolMessage>();
  readonly #session: DebugSession;
  readonly #onDispose: () => void;
  #sequence = 0;

  readonly onDidSendMessage = this.#messages.event;

  /** `create` gets what sends a message to the editor. */
  constructor(create: (send: (output: DebugOutput) => void) => DebugSession, onDispose: () => void = () => {}) {
    this.#session = create((output) => this.#send(output));
    this.#onDispose = onDispose;
  }

  handleMessage(message: vscode.DebugProtocolMessage): void {
    const parsed = z.safeParse(debugRequest, message);
    if (parsed.success) {
      this.#session.request(parsed.data);
    }
  }

  dispose(): void {
    this.#session.end({ type: "detached" });
    this.#messages.dispose();
    this.#onDispose();
  }

  #send(output: DebugOutput): void {
    this.#sequence += 1;
    this.#messages.fire({ seq: this.#sequence, ...messageOf(output) });
  }
}

function messageOf(output: DebugOutput): Readonly<Record<string, unknown>> {
  if (output.type === "event") {
    return output;
  }
  const { request, result } = output;
  const head = { type: "response", request_seq: request.seq, command: request.command, success: result.success };
  if (result.success) {
    return { ...head, body: result.body ?? {} };
  }
  // Braces in the format are variables.
  const variables = fieldsOf({ message: result.message });
  const error = { id: 1, format: "{message}", variables, showUser: !shownInPlace.has(request.command) };
  return { ...head, message: result.message, body: { error } };
}
