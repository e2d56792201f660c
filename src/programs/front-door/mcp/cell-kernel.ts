import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { parentOf } from "../../../api/catalogue/content-path.ts";
import { KernelServer } from "../../../api/kernels/kernel-server.ts";
import { type Cell, type CellResult, executed } from "./cell-execution.ts";
import { ToolError } from "./tool.ts";

/** Milliseconds between two checks of whether a busy kernel is idle. */
const busyPauseMs = 500;

interface KernelCellResult extends CellResult {
  readonly kernel: "notebook" | "new";
  readonly remark?: string;
}

/** Runs a cell on the running kernel of the notebook at the path, or on a new one that is shut down afterward. */
export async function onKernel(cell: Cell, path: string | undefined): Promise<KernelCellResult> {
  const server = new KernelServer(async () => cell.client);
  const sessions = path === undefined ? [] : await server.sessions({ signal: cell.signal });
  const shared = sessions.find((session) => session.path === path)?.kernel;
  if (shared === undefined) {
    return await onNewKernel(cell, server, path === undefined ? "" : parentOf(path));
  }
  // Connecting discards messages that the server buffers for an absent owner, so wait until the kernel is idle.
  await untilIdle(server, shared.id, cell.signal);
  return { kernel: "notebook", ...(await executed(cell, shared.id, { survives: true })) };
}

async function untilIdle(server: KernelServer, kernelId: string, signal: AbortSignal): Promise<void> {
  try {
    while ((await server.kernel(kernelId, { signal }))?.executionState === "busy") {
      await pause(busyPauseMs, undefined, { signal });
    }
  } catch (error) {
    if (!signal.aborted) {
      throw error;
    }
    throw new ToolError(
      "conflict",
      "The notebook's kernel was busy until the call ended, so the code was not run. Try again later.",
    );
  }
}

async function onNewKernel(cell: Cell, server: KernelServer, folder: string): Promise<KernelCellResult> {
  const support = await server.support();
  if (support.type === "none") {
    throw new ToolError("workspace", "The content server of this workspace has no kernels.");
  }
  const path = `${folder === "" ? "" : `${folder}/`}front-door-${randomUUID()}.ipynb`;
  let result: KernelCellResult;
  try {
    // Ignore the call's signal, because the id of a starting kernel must be known to shut it down.
    const { kernel } = await server.openSession(path, { type: "new", specName: support.defaultName });
    if (kernel === undefined) {
      throw new ToolError("workspace", "The content server did not start the kernel. Try again.");
    }
    result = { kernel: "new", ...(await executed(cell, kernel.id, { survives: false })) };
  } catch (error) {
    // The caller needs the error of the run, not of the shutdown.
    await shutDown(server, path).catch(() => undefined);
    throw error;
  }
  try {
    await shutDown(server, path);
    return result;
  } catch {
    return { ...result, remark: `The kernel that was started for it (${path}) could not be shut down.` };
  }
}

/** Ends the session at the path, even if the response to its start was lost. */
async function shutDown(server: KernelServer, path: string): Promise<void> {
  const session = (await server.sessions()).find((one) => one.path === path);
  await (session === undefined ? undefined : server.endSession(session.id));
}
