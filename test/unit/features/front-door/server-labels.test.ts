import assert from "node:assert/strict";
import { maxLabelLength, serverLabels } from "../../../../src/features/front-door/server-labels.ts";
import { maxToolNameLength } from "../../../../src/programs/front-door/mcp/tool-definition.ts";

const labeled = (label: string): string => `${label} (front door)`;
const labelsOf = (labels: readonly string[], add = labeled): readonly string[] => [
  ...serverLabels(
    labels.map((label, index) => ({ id: `tenant-${index}`, label })),
    add,
  ).values(),
];

describe("the labels of front doors", () => {
  it("leave room for the names of their tools in clients that accept 60 characters", () => {
    assert.ok(maxLabelLength + ":".length + maxToolNameLength <= 60);
    assert.deepEqual(labelsOf(["Acme", "A quite long name of a tenant"]), [
      "Acme (front door)",
      "A quite long na… (front door)",
    ]);
    const long = (label: string): string => `${label} (a front door in another language)`;
    assert.deepEqual(labelsOf(["Acme", "A quite long name of a tenant, and more"], long), [
      "Acme",
      "A quite long name of a tenan…",
    ]);
  });

  it("are different, also if only the ends of the tenants' labels differ", () => {
    const labels = ["Acme", "Acme", "The tenant for sales", "The tenant for support", "The tenant for science"];
    const found = labelsOf(labels);
    assert.equal(new Set(found).size, labels.length, found.join("\n"));
    assert.ok(found.every((label) => label.length <= maxLabelLength && label.endsWith(" (front door)")));
    assert.equal(labelsOf(["🦊".repeat(20)])[0]?.isWellFormed(), true);
  });
});
