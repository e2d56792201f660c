import { FilesClient } from "./client.ts";
import { type FaultyPlace, startFaultyPlace } from "./place.ts";
import { patientTransport } from "./transport.ts";

/** Two users of the same workspace. */
export interface TwoClients {
  readonly place: FaultyPlace;
  readonly one: FilesClient;
  readonly other: FilesClient;
  stop(): Promise<void>;
}

export async function startTwoClients(): Promise<TwoClients> {
  const place = await startFaultyPlace();
  const lane = place.lane();
  const one = await FilesClient.connect(lane, { transport: patientTransport() });
  const other = await FilesClient.connect(lane, { transport: patientTransport() });
  const stop = async (): Promise<void> => {
    one.dispose();
    other.dispose();
    await place.stop();
  };
  return { place, one, other, stop };
}
