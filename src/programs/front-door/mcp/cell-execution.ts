import { setTimeout as pause } from "node:timers/promises";
import type { ContentClient } from "../../../api/client/client.ts";
import type { KernelConnection } from "../../../api/kernels/connection/connection.ts";
import { openKernelConnection } from "../../../api/kernels/connection/open-connection.ts";
import { noJournal } from "../../../api/kernels/executions/execution-journal.ts";
import type { Execution, ExecutionOutcome } from "../../../api/kernels/executions/executions.ts";
import { CellOutputCollector } from "./cell-output.ts";
import type { Picture } from "./pictures.ts";
import { contentLimits } from "./response-limits.ts";
import { ToolError } from "./tool.ts";

/** Time for interrupted code to end, in milliseconds. */
const stopTimeoutMs = 10_000;

/** Code to run as the caller. Its run ends when the signal aborts. */
export interface Cell {
  readonly client: ContentClient;
  readonly code: string;
  readonly signal: AbortSignal;
  /** Returns the text without the credentials of the call. */
  redacted(text: string): string;
}

export interface CellResult extends ReturnType<CellOutputCollector["value"]> {
  readonly status: ExecutionOutcome["type"];
  readonly pictures: readonly Picture[];
}

/**
 * Runs a cell on a kernel. If the call ends before the code, interrupts the code on a kernel that survives the call.
 * Throws a ToolError.
 */
export async function executed(
  { client, code, signal, redacted }: Cell,
  kernelId: string,
  { survives }: { readonly survives: boolean },
): Promise<CellResult> {
  const stop = Promise.withResolvers<never>();
  // It can reject before anything awaits it.
  stop.promise.catch(() => {});
  const refuse = (kind: ToolError["kind"], message: string): void => stop.reject(new ToolError(kind, message));
  const abort = (): void => refuse("workspace", "The call ended before the code finished.");
  const outputs = new CellOutputCollector(() =>
    refuse("workspace", "The code asks for input, which is not supported."),
  );
  const connection = await openKernelConnection({
    client: async () => client,
    kernelId,
    journal: noJournal,
    recorder: "off",
    messageBytes: contentLimits.jsonBytes,
  });
  connection.onState(({ type }) => {
    if (type === "credentialRejected") {
      refuse("credential", "The content server rejected the stored notebook token.");
    } else if (type === "serverStopped") {
      refuse("workspace", "The workspace was stopped.");
    }
  });
  signal.addEventListener("abort", abort, { once: true });
  if (signal.aborted) {
    abort();
  }
  try {
    const [execution] = await connection.execute([{ code, cellId: undefined, cellIndex: 0, sink: outputs }]);
    if (execution === undefined) {
      throw new ToolError("dependency", "The code was not accepted. Try again.");
    }
    try {
      const { type } = await Promise.race([stop.promise, execution.ended]);
      return { status: type, ...outputs.value(redacted), pictures: outputs.pictures };
    } catch (error) {
      throw survives && error instanceof ToolError ? await afterStop(connection, execution, error) : error;
    }
  } finally {
    signal.removeEventListener("abort", abort);
    connection.dispose();
  }
}

/** Cancels the execution. Resolves with the error, and with what happened to the code. */
async function afterStop(connection: KernelConnection, execution: Execution, error: ToolError): Promise<ToolError> {
  const isSent = execution.phase !== "queued";
  // The state of the execution shows whether the interrupt arrived.
  await connection.cancel(execution.entry.messageId).catch(() => undefined);
  const isStopped = await Promise.race([execution.ended.then(() => true), pause(stopTimeoutMs, false, { ref: false })]);
  const outcome = !isSent
    ? "It was not run."
    : isStopped
      ? "The code was interrupted."
      : "The code could not be interrupted, and may still be running on the notebook's kernel.";
  return new ToolError(error.kind, `${error.message} ${outcome}`);
}
