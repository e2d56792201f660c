import * as vscode from "vscode";
import type { Log } from "../api/http/log.ts";
import { createTransport, type Transport } from "../api/http/transport.ts";

/** Creates the transport of all requests, which follows the editor's network settings until it is disposed of. */
export function createEditorTransport(log: Log): vscode.Disposable & { readonly transport: Transport } {
  const transport = createTransport({
    log,
    network: async () => (await import("./editor-network.ts")).editorNetwork(log),
  });
  const listener = vscode.workspace.onDidChangeConfiguration((change) => {
    if (change.affectsConfiguration("http")) {
      transport.reconnect?.();
    }
  });
  return {
    transport,
    dispose: () => {
      listener.dispose();
      void transport.close();
    },
  };
}
