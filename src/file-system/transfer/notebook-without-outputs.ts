import * as vscode from "vscode";
import * as z from "zod/mini";
import { snapshotOf } from "../merge/server-version.ts";

const readNotebook = z.looseObject({ cells: z.array(z.looseObject({ outputs: z.optional(z.unknown()) })) });

/**
 * Opens a notebook without its outputs, as a read-only copy. It can't be saved, so the outputs on the server stay. Shows
 * other content as it is.
 */
export async function openWithoutOutputs(uri: vscode.Uri, bytes: Uint8Array): Promise<void> {
  const copy = snapshotOf(uri, withoutOutputs(bytes));
  await vscode.commands.executeCommand("vscode.openWith", copy, "jupyter-notebook", { preview: false });
}

/** The notebook with cells that have no outputs. Other content stays as it is. */
export function withoutOutputs(bytes: Uint8Array): Uint8Array {
  try {
    const parsed = z.safeParse(readNotebook, JSON.parse(new TextDecoder().decode(bytes)));
    if (!parsed.success) {
      return bytes;
    }
    const cells = parsed.data.cells.map((cell) => (cell.outputs === undefined ? cell : { ...cell, outputs: [] }));
    return new TextEncoder().encode(JSON.stringify({ ...parsed.data, cells }));
  } catch {
    return bytes;
  }
}
