import type { DispatchResponse } from "../../http/dispatch.ts";
import { hubResponse } from "../../http/hub.ts";
import { phrase } from "../../phrase.ts";
import type { Obstacle } from "../protocol/input.ts";

/** The obstacle that the server's response for a kernel indicates; undefined if the kernel exists. */
export function obstacleOf(response: DispatchResponse): Obstacle | undefined {
  const { status } = response;
  const hub = hubResponse(response);
  if (hub === "notRunning") {
    return { type: "serverStopped", reason: phrase`the workspace isn't running` };
  }
  if (hub === "tokenRefused" || status === 401 || status === 403) {
    return { type: "credentialRejected", reason: phrase`the server rejected the notebook token` };
  }
  if (status === 404 && isAboutKernel(response)) {
    return { type: "gone" };
  }
  return status >= 200 && status <= 299
    ? undefined
    : { type: "waiting", reason: phrase`the server returned status ${status}` };
}

/** True if the 404 comes from the server itself. A proxy without a route to the server also responds with 404. */
function isAboutKernel({ body }: DispatchResponse): boolean {
  try {
    const parsed: unknown = JSON.parse(new TextDecoder().decode(body.subarray(0, 65_536)));
    const isObject = typeof parsed === "object" && parsed !== null;
    return isObject && "message" in parsed && /kernel/i.test(String(parsed.message));
  } catch {
    return false;
  }
}
