// A separate Node process, started with --expose-gc: opens a folder with many files through the extension's file
// system, and prints the costs as JSON.
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
// Code that loads on first use is not part of the memory of nodes.
await client.files.readDirectory(client.uri(""));
const before = collect();
requests = 0;
const started = performance.now();
const nodes = await client.files.readDirectory(client.uri(folder));
// All at once, as the editor does. Each waits a few milliseconds for a read that may follow.
await Promise.all(nodes.map(([name]) => client.files.stat(client.uri(`${folder}/${name}`))));
const seconds = (performance.now() - started) / 1000;
const bytes = collect() - before;
// Kept until after the collection, as a tree of the editor keeps them.
process.stdout.write(JSON.stringify({ nodes: nodes.length, bytes, seconds, requests }));
await transport.close();
process.exit(0);
