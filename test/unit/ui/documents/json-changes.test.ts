import assert from "node:assert/strict";
import { changeLines, configurationSave } from "../../../../src/ui/documents/json-changes.ts";

const read = {
  id: "w",
  memory: 8,
  updated: "monday",
  instances: [{ status: "RUNNING", lastActivity: "9:00" }],
  extra: { a: 1 },
};

describe("saving a workspace's configuration", () => {
  it("sends the user's complete version, and lists the changes", () => {
    const save = configurationSave(read, read, { ...read, memory: 16 });
    assert.deepEqual(save.body, { ...read, memory: 16 });
    assert.deepEqual(save.changes, [{ place: "memory", from: "8", to: "16" }]);
    assert.deepEqual(save.changedMeanwhile, []);
  });

  it("sends no changes if there are none", () => {
    assert.deepEqual(configurationSave(read, read, { ...read }).changes, []);
  });

  it("neither reports nor reverts changes to fields that the platform maintains", () => {
    const now = { ...read, updated: "tuesday", instances: [{ status: "RUNNING", lastActivity: "9:05" }] };
    const save = configurationSave(read, now, { ...read, memory: 16 });
    assert.deepEqual(save.changedMeanwhile, []);
    assert.deepEqual(save.body, { ...now, memory: 16 });
    assert.deepEqual(save.changes, [{ place: "memory", from: "8", to: "16" }]);
  });

  it("lists what someone else changed meanwhile", () => {
    const save = configurationSave(read, { ...read, extra: { a: 2 } }, { ...read, memory: 16 });
    assert.deepEqual(save.changedMeanwhile, [{ place: "extra.a", from: "1", to: "2" }]);
    assert.deepEqual(
      save.changes.map(({ place, to }) => [place, to]),
      [
        ["memory", "16"],
        ["extra.a", "1"],
      ],
    );
  });

  it("reports if the user's base version is no longer known", () => {
    assert.equal(configurationSave(undefined, read, { ...read, memory: 16 }).changedMeanwhile, undefined);
  });

  it("lists a removed field", () => {
    const { extra: _, ...rest } = read;
    assert.deepEqual(configurationSave(read, read, rest).changes, [{ place: "extra", from: '{"a":1}', to: "–" }]);
  });

  it("lists at most ten changes", () => {
    const changes = Array.from({ length: 24 }, (_, index) => ({ place: `f${index}`, from: "1", to: "2" }));
    const lines = changeLines(changes, (count) => `and ${count} more`);
    assert.deepEqual([lines.length, lines[0], lines.at(-1)], [11, "f0: 1 → 2", "and 14 more"]);
  });
});
