import type { DispatchAnswer } from "../../../http/dispatch.ts";
import { hubAnswer } from "../../../http/hub.ts";
import { phrase, type Text } from "../../../phrase.ts";

/** Why there is no socket. */
export type Obstacle =
  | { readonly type: "waiting" | "serverStopped" | "credentialRejected"; readonly reason: Text }
  | { readonly type: "gone" };

/** The obstacle that the server's response for a kernel indicates; undefined if the kernel exists. */
export function obstacleOf(answer: DispatchAnswer): Obstacle | undefined {
  const { status } = answer;
  const hub = hubAnswer(answer);
  if (hub === "notRunning") {
    return { type: "serverStopped", reason: phrase`the workspace isn't running` };
  }
  if (hub === "tokenRefused" || status === 401 || status === 403) {
    return { type: "credentialRejected", reason: phrase`the server rejected the notebook token` };
  }
  if (status === 404 && isAboutKernel(answer)) {
    return { type: "gone" };
  }
  return status >= 200 && status <= 299
    ? undefined
    : { type: "waiting", reason: phrase`the server returned status ${status}` };
}

/** True if the 404 comes from the server itself. A proxy without a route to the server also responds with 404. */
function isAboutKernel({ body }: DispatchAnswer): boolean {
  try {
    const parsed: unknown = JSON.parse(new TextDecoder().decode(body.subarray(0, 65_536)));
    const isObject = typeof parsed === "object" && parsed !== null;
    return isObject && "message" in parsed && /kernel/i.test(String(parsed.message));
  } catch {
    return false;
  }
}
