import assert from "node:assert/strict";
import type { KernelInformation } from "../../../../src/api/kernels/models.ts";
import { Agenda, Awaited, run, type Steps, step } from "../../../../src/api/kernels/protocol/agenda.ts";
import { evaluatedText } from "../../../../src/api/kernels/protocol/evaluation.ts";
import type { Fields, IncomingMessage } from "../../../../src/api/kernels/wire/kernel-message.ts";

const value = (text: string): Fields => ({ status: "ok", data: { "text/plain": text } });

describe("an expression that is evaluated in the kernel", () => {
  let agenda: Agenda;
  let log: string[];
  let reply: Fields;
  /** The next subshell, if the kernel creates one. */
  let subshell: string | undefined;

  beforeEach(() => {
    agenda = new Agenda(0);
    log = [];
    reply = { status: "ok", user_expressions: { value: value("42") } };
    subshell = "sub-1";
  });

  const requests = {
    request(channel: string, type: string, content: Fields, options: { readonly subshell?: string | undefined } = {}) {
      log.push(`${channel} ${type} ${options.subshell ?? "main"} ${JSON.stringify(content.user_expressions)}`);
      const awaited = new Awaited<IncomingMessage>(agenda);
      awaited.resolve({ content: reply } as unknown as IncomingMessage);
      return awaited;
    },
    *createSubshell(): Steps<string | undefined> {
      log.push("create");
      const created = new Awaited<string | undefined>(agenda);
      created.resolve(subshell);
      return yield* step(created);
    },
    deleteSubshell: (id: string) => void log.push(`delete ${id}`),
  };

  /** The text, or the error's message. */
  function evaluate(...features: readonly string[]): string {
    const information = { features: new Set(features) } as unknown as KernelInformation;
    const { result } = run(agenda, evaluatedText(requests, "6 * 7", information));
    return result.type === "resolved" ? result.value : result.type === "rejected" ? String(result.error) : "pending";
  }

  it("has the text of its value, in a subshell that is deleted afterward", () => {
    assert.equal(evaluate("kernel subshells"), "42");
    assert.deepEqual(log, ["create", 'shell execute_request sub-1 {"value":"6 * 7"}', "delete sub-1"]);
  });

  it("is evaluated on the main shell of a kernel without subshells", () => {
    assert.equal(evaluate(), "42");
    assert.deepEqual(log, ['shell execute_request main {"value":"6 * 7"}']);
  });

  it("is not evaluated without the subshell, which would wait for the running cell", () => {
    subshell = undefined;
    assert.match(evaluate("kernel subshells"), /EvaluationError: the kernel didn't create a subshell/);
    assert.deepEqual(log, ["create"]);
  });

  it("says why it has no value, and deletes the subshell", () => {
    const failures: readonly (readonly [Fields, RegExp])[] = [
      [{ status: "error", evalue: "no memory" }, /the kernel failed: no memory$/],
      [{ status: "aborted" }, /the kernel failed: the request was aborted$/],
      [{ status: "ok", user_expressions: { value: { status: "error", evalue: "no such name" } } }, /no such name$/],
    ];
    for (const [content, message] of failures) {
      reply = content;
      assert.match(evaluate("kernel subshells"), message);
      assert.equal(log.at(-1), "delete sub-1");
    }
    reply = { status: "ok" };
    assert.match(evaluate("kernel subshells"), /^EvaluationError: the kernel failed: $/);
  });
});
