import { errorMessage } from "../error-message.ts";
import type { DispatchResponse } from "../http/dispatch.ts";
import { PlatformError } from "../http/errors.ts";
import { hubResponse } from "../http/hub.ts";
import type { Obstacle } from "../obstacle.ts";
import { phrase } from "../phrase.ts";

/** The obstacle that the server's response for a kernel or a terminal indicates; undefined if the item exists. */
export function obstacleOf(response: DispatchResponse, item: "kernel" | "terminal"): Obstacle | undefined {
  const { status } = response;
  const hub = hubResponse(response);
  if (hub === "notRunning") {
    return { type: "serverStopped", reason: phrase`the workspace isn't running` };
  }
  if (hub === "tokenRefused" || status === 401 || status === 403) {
    return { type: "credentialRejected", reason: phrase`the server rejected the notebook token` };
  }
  if (status === 404 && isAbout(item, response)) {
    return { type: "gone" };
  }
  return status >= 200 && status <= 299
    ? undefined
    : { type: "waiting", reason: phrase`the server returned status ${status}` };
}

/** True if the 404 comes from the server itself. A proxy without a route to the server also responds with 404. */
function isAbout(item: "kernel" | "terminal", { body }: DispatchResponse): boolean {
  try {
    const parsed: unknown = JSON.parse(new TextDecoder().decode(body.subarray(0, 65_536)));
    const isObject = typeof parsed === "object" && parsed !== null;
    return isObject && "message" in parsed && String(parsed.message).toLowerCase().includes(item);
  } catch {
    return false;
  }
}

/** The obstacle if the server did not respond, or if there is no client for it. */
export function obstacleOfError(error: unknown): Obstacle {
  return { type: "waiting", reason: error instanceof PlatformError ? error.parts.reason : errorMessage(error) };
}
