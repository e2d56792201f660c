import type { Text } from "./phrase.ts";

/** Why there is no connection to an item of a server. `gone`: the server no longer has the item. */
export type Obstacle =
  | { readonly type: "waiting" | "serverStopped" | "credentialRejected"; readonly reason: Text }
  | { readonly type: "gone" };
