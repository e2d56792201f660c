// Performs one action through the file system, as an extension host would, until it is killed. Its storage is a file.
import { readFileSync, writeFileSync } from "node:fs";
import { flushCompileCache } from "node:module";
import { StandInMemento } from "../harness/editor-stand-in/memory.ts";
import { FilesClient } from "./client.ts";
import { killedAction } from "./killed-actions.ts";
import type { ChildTask } from "./killed-run.ts";
import { Person } from "./person.ts";
import { patientTransport } from "./transport.ts";

// Node writes its cache of compiled code when a process ends, which doesn't happen here.
flushCompileCache();
const task: ChildTask = JSON.parse(process.argv[2] ?? "{}");
const memento = new StandInMemento(readFileSync(task.memoryFile, "utf8"), (json) =>
  writeFileSync(task.memoryFile, json),
);
const transport = patientTransport();
const action = killedAction(task.action);
const client = await FilesClient.connect(task.place, {
  transport,
  memento,
  tenantId: task.tenantId,
  smallChunks: action.isBig === true,
  storage: task.storage,
});
const person = new Person(client);
const at = (path: string): string => (path === "" ? task.folder : `${task.folder}/${path}`);
await action.arrange?.(person, at);
await client.files.stored();
const told = new Promise<void>((resolve) => process.once("message", () => resolve()));
process.send?.("arranged");
await told;
await action.act(person, at);
await transport.close();
process.disconnect();
