import assert from "node:assert/strict";
import { fork } from "node:child_process";
import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort, recurringPort } from "../../harness/free-port.ts";

describe("free ports", () => {
  it("are assigned once, even if something listens on them, and released when the process ends", async () => {
    const ports = await Promise.all(Array.from({ length: 30 }, freePort));
    assert.equal(new Set(ports).size, 30);
    const file = (port: number): string => join(tmpdir(), "platform-workbench-ports", String(port));
    assert.ok(ports.every((port) => existsSync(file(port))));

    const port = await inChild("freePort");
    assert.ok(!ports.includes(port));
    assert.equal(existsSync(file(port)), false);
  });

  it("recur among a hundred ports, and are assigned once, too", async () => {
    const ports = [await recurringPort(), await recurringPort(), await inChild("recurringPort")];
    assert.equal(new Set(ports).size, 3);
    assert.ok(
      ports.every((port) => port >= 32_000 && port < 32_100),
      ports.join(),
    );
  });
});

/** The result of a function of the module in another process, when that has ended. */
async function inChild(name: "freePort" | "recurringPort"): Promise<number> {
  const module = JSON.stringify(new URL("../../harness/free-port.ts", import.meta.url).href);
  const code = `import(${module}).then(async (ports) => { process.send(await ports.${name}()); process.disconnect(); })`;
  const child = fork("-e", [code], { execArgv: [], stdio: ["ignore", "inherit", "inherit", "ipc"] });
  const told = Promise.withResolvers<number>();
  child.once("message", (port) => told.resolve(Number(port)));
  const ended = new Promise((resolve) => child.once("exit", resolve));
  const port = await told.promise;
  await ended;
  return port;
}
