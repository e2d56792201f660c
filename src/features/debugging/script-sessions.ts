import * as vscode from "vscode";
import { nameOf, parentOf } from "../../api/catalogue/content-path.ts";
import type { DebugOutput } from "../../api/debugging/debug-message.ts";
import { DebugSession } from "../../api/debugging/debug-session.ts";
import { ScriptKernel, type ScriptTerminal } from "../../api/debugging/script-kernel.ts";
import { phrase } from "../../api/phrase.ts";
import { withoutLinks } from "../../tenants/messages.ts";
import { addressOf } from "../../tenants/workspace-uri.ts";
import { signalOf } from "../../ui/commands/cancellation.ts";
import type { DebuggingServices } from "./debugging-services.ts";
import { InlineAdapter } from "./inline-adapter.ts";
import { showEnd } from "./session-end.ts";
import { WorkspaceSources } from "./workspace-sources.ts";

/** The sessions of Python files, each with a kernel of its own that ends with the session. */
export class ScriptSessions implements vscode.Disposable {
  readonly #services: DebuggingServices;
  /** The sessions, with the ids of their tenants. */
  readonly #active = new Map<DebugSession, string>();
  readonly #listener: vscode.Disposable;

  constructor(services: DebuggingServices) {
    this.#services = services;
    this.#listener = services.secrets.onDidSignOut((signedOut) => {
      for (const [session, tenantId] of this.#active) {
        if (tenantId === signedOut) {
          session.end({ type: "lost", reason: phrase`The debugger has stopped because you signed out.` });
        }
      }
    });
  }

  /** Starts a kernel for a file. `parameters`: `sys.argv` after the file. Rejects with a CancellationError if canceled. */
  async start(uri: vscode.Uri, parameters: readonly string[]): Promise<InlineAdapter> {
    const { tenantId, workspaceId, path } = addressOf(uri);
    const name = nameOf(path);
    const client = await this.#services.connections.content(tenantId, workspaceId);
    const kernel = await vscode.window.withProgress(
      {
        location: vscode.ProgressLocation.Notification,
        title: vscode.l10n.t("Starting a kernel for {0}…", withoutLinks(name)),
        cancellable: true,
      },
      async (_progress, token) => {
        const signal = signalOf(token);
        try {
          return await ScriptKernel.start(client, path, signal);
        } catch (error) {
          throw signal.aborted ? new vscode.CancellationError() : error;
        }
      },
    );
    return new InlineAdapter((onOutput) => {
      const session = new DebugSession({
        connection: kernel.connection,
        sources: new WorkspaceSources({ tenantId, workspaceId }),
        path,
        folder: parentOf(path),
        justMyCode: vscode.workspace.getConfiguration("platformWorkbench").get("debug.justMyCode", true),
        ownsKernel: true,
        onOutput,
        onConfigured: () => void run(session, kernel, { path, parameters, onOutput }),
        onEnd: (end) => {
          this.#active.delete(session);
          void kernel.end();
          showEnd(end);
        },
      });
      this.#active.set(session, tenantId);
      return session;
    });
  }

  dispose(): void {
    this.#listener.dispose();
    for (const session of [...this.#active.keys()]) {
      session.end({ type: "detached" });
    }
  }
}

interface ScriptRun {
  readonly path: string;
  readonly parameters: readonly string[];
  readonly onOutput: (output: DebugOutput) => void;
}

async function run(session: DebugSession, kernel: ScriptKernel, { path, parameters, onOutput }: ScriptRun) {
  const name = nameOf(path);
  const file = session.pathOf(path);
  if (file === undefined) {
    session.end({ type: "lost", reason: phrase`The kernel can't find ${name} on its server.` });
    return;
  }
  await kernel.run(file, parameters, debugConsole(name, onOutput));
  session.end({ type: "finished" });
}

function debugConsole(name: string, onOutput: (output: DebugOutput) => void): ScriptTerminal {
  return {
    print: (category, output) => onOutput({ type: "event", event: "output", body: { category, output } }),
    async ask(prompt, password, signal) {
      const source = new vscode.CancellationTokenSource();
      signal.addEventListener("abort", () => source.cancel(), { once: true });
      try {
        return await vscode.window.showInputBox(
          {
            title: vscode.l10n.t("Input for {0}", name),
            prompt: withoutLinks(prompt),
            placeHolder: vscode.l10n.t("Press Escape to interrupt the file"),
            password,
            ignoreFocusOut: true,
          },
          source.token,
        );
      } finally {
        source.dispose();
      }
    },
  };
}
