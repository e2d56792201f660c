// A Node process of its own, started with --expose-gc: opens a folder of many files through the extension's file system
// and prints as JSON what that took.
import "../harness/editor-stand-in/register.ts";
import { createTransport } from "../../src/api/http/transport.ts";

const [contentUrl, token, folder] = process.argv.slice(2);
if (contentUrl === undefined || token === undefined || folder === undefined) throw new Error("name a folder");
const collect = (): number => {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
};

const { FilesClient } = await import("../faults/client.ts");
const transport = createTransport();
const { origin, pathname } = new URL(contentUrl);
let requests = 0;
const counting: typeof transport = {
  send: (request) => {
    requests += 1;
    return transport.send(request);
  },
  close: () => transport.close(),
};
const client = await FilesClient.connect({ origin, prefix: pathname, token }, { transport: counting });
// What loads on first use is not what nodes take.
await client.files.readDirectory(client.uri(""));
const before = collect();
requests = 0;
const started = performance.now();
const nodes = await client.files.readDirectory(client.uri(folder));
// All at once, as the editor does: each waits some milliseconds for a read that may follow.
await Promise.all(nodes.map(([name]) => client.files.stat(client.uri(`${folder}/${name}`))));
const seconds = (performance.now() - started) / 1000;
const bytes = collect() - before;
// Held until after the collection, as a tree of the editor holds them.
process.stdout.write(JSON.stringify({ nodes: nodes.length, bytes, seconds, requests }));
await transport.close();
process.exit(0);
