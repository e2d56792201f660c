import { randomUUID } from "node:crypto";
import { silentLog } from "../../http/log.ts";
import type { KernelConnection, KernelConnectionOptions } from "./connection.ts";
import { LiveKernelConnection } from "./live-connection.ts";

/**
 * Opens the connection to a kernel, or takes up the one that an earlier window had: with the `session_id` of the journal,
 * so that the server replays what it buffered. Rejects only when the journal cannot be read.
 */
export async function openKernelConnection(options: KernelConnectionOptions): Promise<KernelConnection> {
  const known = await options.journal.read(options.kernelId);
  return new LiveKernelConnection(options, known ?? { sessionId: randomUUID(), entries: [] }, options.log ?? silentLog);
}
