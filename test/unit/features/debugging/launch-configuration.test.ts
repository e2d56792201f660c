import assert from "node:assert/strict";
import { Uri, type WorkspaceFolder } from "vscode";
import {
  fileConfiguration,
  programOf,
  resolvedConfiguration,
} from "../../../../src/features/debugging/launch-configuration.ts";

const uri = Uri.parse("platform-contents://1.tenant/jobs/report.py");
const folder: WorkspaceFolder = { uri: Uri.parse("platform-contents://1.tenant/"), name: "Sales", index: 0 };
const type = "platform-workbench-kernel";

describe("the configuration of a debugged file", () => {
  it("names the file and its arguments", () => {
    const found = programOf(fileConfiguration(uri, { args: ["--year", "2026"] }));
    assert.equal(found?.uri.toString(), uri.toString());
    assert.deepEqual(found?.parameters, ["--year", "2026"]);
    assert.deepEqual(programOf(fileConfiguration(uri))?.parameters, []);
  });

  it("can come from launch.json, with a path in the folder", () => {
    const written = { type, request: "launch", name: "Report", program: "jobs/report.py", args: ["2026"] };
    const found = resolvedConfiguration(folder, written);
    assert.deepEqual(found, { ...written, program: uri.toString(), internalConsoleOptions: "openOnSessionStart" });
    const inFolder = resolvedConfiguration(folder, { ...written, program: `\${workspaceFolder}/jobs/report.py` });
    assert.equal(inFolder?.program, uri.toString());
  });

  it("refuses arguments that aren't texts, and is none for cells", () => {
    assert.throws(() => programOf({ ...fileConfiguration(uri), args: [1] }), /a list of texts/);
    assert.equal(programOf({ type, request: "launch", name: "Cell 1", launch: "id" }), undefined);
  });
});
