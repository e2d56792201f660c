import assert from "node:assert/strict";
import { PassThrough, Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { runProgram } from "../../../../src/programs/command-line/program.ts";
import { localServer } from "../../api/local-server.ts";

const hostile = "\u001b]0;title\u0007\u001b]52;c;cm0gLXJm\u0007\u001b[2J\u009b31m\u202eadmin\rOK";

describe("the command line in a terminal", () => {
  /** Runs the program against a server that returns this response to every request. */
  async function run(status: number, body: unknown, args: readonly string[]) {
    const server = await localServer((_, response) => {
      response.writeHead(status, { "content-type": "application/json", "x-trace-id": "7" }).end(JSON.stringify(body));
    });
    const [output, messages] = [new PassThrough(), new PassThrough()];
    try {
      const code = await runProgram(args, {
        environment: {
          PLATFORM_WORKBENCH_BASE_URL: server.url,
          PLATFORM_WORKBENCH_TOKEN: "a-token-of-a-test",
        },
        input: Readable.from([]),
        output,
        messages,
        version: "0.0.0",
        signal: new AbortController().signal,
      });
      output.end();
      messages.end();
      return { code, output: await text(output), messages: await text(messages) };
    } finally {
      await server.stop();
    }
  }

  const obeyed = /[^\P{Cc}\n]|[\u202a-\u202e\u2066-\u2069]/u;

  it("shows a server's error without obeying it", async () => {
    const { code, messages } = await run(404, { message: hostile }, ["call", "users.list", "--verbose"]);
    assert.notEqual(code, 0);
    assert.match(messages, /admin/);
    assert.doesNotMatch(messages, obeyed);
  });

  it("shows a server's response without obeying it, and keeps its value", async () => {
    const { code, output } = await run(200, [{ id: 1, name: hostile }], ["call", "roles.list"]);
    assert.equal(code, 0);
    assert.doesNotMatch(output, obeyed);
    assert.deepEqual(JSON.parse(output), [{ id: 1, name: hostile }]);
  });

  it("shows its own arguments without obeying them", async () => {
    const { messages } = await run(200, [], ["call", `users.${hostile}`]);
    assert.match(messages, /Unknown operation/);
    assert.doesNotMatch(messages, obeyed);
  });
});
