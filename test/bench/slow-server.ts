// A separate Node process: a content server of the sample tenant at a certain distance. Every request waits for one
// round trip and for nothing else, so that only the client is measured. Prints its address as JSON.
import { Agent, createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { startSampleTenant } from "../../src/programs/sample-tenant/server.ts";

export interface SlowServer {
  /** With a trailing slash. */
  readonly contentUrl: string;
  readonly token: string;
  /** The workspace's files on this machine's disk. */
  readonly root: string;
}

const [dataDirectory, roundTrip] = process.argv.slice(2);
if (dataDirectory === undefined || roundTrip === undefined) throw new Error("name a directory and a round trip");
const tenant = await startSampleTenant({ dataDirectory });
const workspace = tenant.workspaces.find(({ status }) => status === "running");
if (workspace === undefined) throw new Error("the sample tenant has no running workspace");
const { hostname, port, pathname } = new URL(workspace.contentUrl);
const agent = new Agent({ keepAlive: true });

const server = createServer((incoming, outgoing) => {
  const wait = setTimeout(() => {
    const { method, url, headers } = incoming;
    const onward = request({ hostname, port, agent, method, path: url, headers }, (response) => {
      outgoing.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(outgoing);
    });
    onward.on("error", () => outgoing.destroy());
    incoming.pipe(onward);
  }, Number(roundTrip));
  outgoing.on("close", () => clearTimeout(wait));
});
server.listen(0, "127.0.0.1", () => {
  const { port: own } = server.address() as AddressInfo;
  const where: SlowServer = {
    contentUrl: `http://127.0.0.1:${own}${pathname}`,
    token: tenant.notebookToken(workspace.id),
    root: tenant.contentRoot(workspace.id),
  };
  process.stdout.write(`${JSON.stringify(where)}\n`);
});
