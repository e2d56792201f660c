import { Client } from "../../src/api/client/client.ts";
import { NotebookToken } from "../../src/api/http/credentials.ts";
import { dialects } from "../../src/api/http/dialects.ts";
import { singleUserLimits } from "../../src/api/http/response-limits.ts";
import { createTransport, type Transport } from "../../src/api/http/transport.ts";
import { frameCodes } from "../../src/api/http/web-socket-frames.ts";
import { openKernelConnection } from "../../src/api/kernels/connection/open-connection.ts";
import { noJournal } from "../../src/api/kernels/executions/execution-journal.ts";
import { filterSentFrames } from "../harness/sent-frames.ts";
import { PlainLoop, runCell } from "./kernel-runs.ts";
import { median } from "./statistics.ts";

/** Medians of the milliseconds from sending a cell to its first output on a warm kernel. */
export interface FirstOutput {
  readonly plain: number;
  readonly ours: number;
  /** The extension's connection if it acknowledged nothing at once. */
  readonly unacknowledged: number;
}

const rounds = 41;
const code = "print(1)";

export function notebookClient(url: string, token: string, transport: Transport): Client<"notebook"> {
  const base = new URL(`${url}/`);
  const credential = new NotebookToken(base.origin, token);
  return new Client(
    { kind: "notebook", base, dialect: dialects.documented, limits: singleUserLimits, credential },
    transport,
  );
}

/** Runs cells, alternating between the connections, which are all open to the same kernel. */
export async function measureFirstOutput(url: string, token: string, kernelId: string): Promise<FirstOutput> {
  const transports = [createTransport(), filterSentFrames(createTransport(), (frame) => frame !== frameCodes.pong)];
  const connections = await Promise.all(
    transports.map((transport) => {
      const client = notebookClient(url, token, transport);
      return openKernelConnection({ client: async () => client, kernelId, journal: noJournal, recorder: "on" });
    }),
  );
  const plain = await PlainLoop.open(url, token, kernelId);
  const ways = [() => plain.run(code), ...connections.map((connection) => () => runCell(connection, code))];
  try {
    await Promise.all(connections.map((connection) => connection.ready()));
    const times = ways.map((): number[] => []);
    for (let round = 0; round < rounds; round += 1) {
      for (const [index, way] of ways.entries()) {
        times[index]?.push((await way()).first);
      }
    }
    const [ofPlain = 0, ours = 0, unacknowledged = 0] = times.map(median);
    return { plain: ofPlain, ours, unacknowledged };
  } finally {
    for (const connection of connections) connection.dispose();
    plain.close();
    for (const transport of transports) await transport.close();
  }
}
