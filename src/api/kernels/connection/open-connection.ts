import { randomUUID } from "node:crypto";
import { silentLog } from "../../http/log.ts";
import { DrivenConnection } from "../driver/driven-connection.ts";
import { KernelDriver } from "../driver/kernel-driver.ts";
import type { KernelConnection, KernelConnectionOptions } from "./connection.ts";

/**
 * Opens a connection to a kernel. Continues the connection of an earlier window with the `session_id` of the journal,
 * so that the server replays buffered messages. Rejects only if the journal can't be read.
 */
export async function openKernelConnection(options: KernelConnectionOptions): Promise<KernelConnection> {
  const known = await options.journal.read(options.kernelId);
  const journal = known ?? { sessionId: randomUUID(), entries: [] };
  return new DrivenConnection(new KernelDriver(options, journal, options.log ?? silentLog));
}
