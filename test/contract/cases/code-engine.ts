import assert from "node:assert/strict";
import * as codeEngine from "../../../src/api/catalogue/operations/code-engine.ts";
import { readPackage, readVersion } from "../../../src/api/families/code-engine.ts";
import type { Cases } from "./cases.ts";

export const codeEngineCases = {
  "codeEngine.packages.get": async (tenant) => {
    const { name, language, versions } = await readPackage(tenant.platform(), "ce-3");
    assert.deepEqual([name, language], ["Exchange rates", "JAVASCRIPT"]);
    assert.deepEqual(
      versions.map(({ version, isReleased }) => [version, isReleased]),
      [
        ["1.0.2", false],
        ["1.0.1", false],
        ["1.0.0", true],
      ],
    );
    const without = await tenant.platform().call(codeEngine.getCodeEnginePackage, { packageId: "ce-3" });
    assert.equal(without.versions, undefined);
    const failure = await tenant.failure(readPackage(tenant.platform(), "ce-9"));
    assert.deepEqual([failure.kind, failure.status], ["notFound", 404]);
  },
  "codeEngine.versions.get": async (tenant) => {
    const { functions, code } = await readVersion(tenant.platform(), "ce-1", "1.0.0");
    assert.deepEqual(
      functions?.map(({ name, inputs }) => [name, inputs?.map((input) => [input.name, input.nullable])]),
      [
        [
          "run",
          [
            ["recipient", false],
            ["subject", true],
          ],
        ],
        ["ask", [["question", false]]],
      ],
    );
    assert.match(code ?? "", /^function run\(recipient, subject\)/m);
    const failure = await tenant.failure(readVersion(tenant.platform(), "ce-1", "7.0.0"));
    assert.deepEqual([failure.kind, failure.status], ["notFound", 404]);
  },
  "codeEngine.functions.run": async (tenant) => {
    const call = (packageId: string, functionName: string, inputVariables: Record<string, unknown>) =>
      tenant.platform().call(codeEngine.runCodeEngineFunction, {
        packageId,
        version: "1.0.0",
        functionName,
        body: { inputVariables, settings: { getLogs: true } },
      });
    const { logs, ...converted } = await call("ce-3", "run", { amount: 250, currency: "USD" });
    assert.deepEqual([converted, logs], [{ status: "SUCCESS", result: 270 }, []]);
    const mail = await call("ce-1", "run", { recipient: "ada@example.com" });
    assert.deepEqual(
      [mail.result, mail.logs],
      ["To: ada@example.com\nSubject: No subject", ["A mail to ada@example.com"]],
    );
    const failed = await call("ce-3", "run", { amount: 1, currency: "XYZ" });
    assert.deepEqual([failed.status, failed.error], ["FAILED", "There is no rate for XYZ."]);
    const missing = await tenant.failure(call("ce-3", "toString", {}));
    assert.deepEqual([missing.kind, missing.status], ["notFound", 404]);
    const python = await tenant.failure(call("ce-2", "run", { text: "a" }));
    assert.deepEqual([python.kind, python.status], ["crud", 501]);
  },
} satisfies Cases;
