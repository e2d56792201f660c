import { setTimeout as delay } from "node:timers/promises";
import { hasStatus } from "../http/errors.ts";
import type { KernelServer } from "./kernel-server.ts";

const maxAttempts = 5;
const pauseMs = 500;

/**
 * Ends a session whose kernel the server may be starting again, which it can't end meanwhile. `isWanted` is asked before
 * each attempt. Throws a PlatformError.
 */
export async function endSessionAfterStart(
  server: KernelServer,
  sessionId: string,
  isWanted: () => Promise<boolean> = async () => true,
): Promise<void> {
  for (let attempt = 1; await isWanted(); attempt += 1) {
    try {
      await server.endSession(sessionId);
      return;
    } catch (error) {
      if (!hasStatus(error, 500) || attempt === maxAttempts) {
        throw error;
      }
      await delay(pauseMs);
    }
  }
}
