import assert from "node:assert/strict";
import { LatestRequest } from "../../../src/api/latest-request.ts";

describe("the latest request", () => {
  it("cancels the one before when it begins", () => {
    const requests = new LatestRequest();
    const first = requests.begin();
    assert.equal(first.aborted, false);
    const second = requests.begin();
    assert.deepEqual([first.aborted, second.aborted], [true, false]);
  });

  it("is the only one whose response is shown, in whatever order they arrive", async () => {
    const requests = new LatestRequest();
    const shown: string[] = [];
    const show = async (response: Promise<string>): Promise<void> => {
      const signal = requests.begin();
      const text = await response;
      if (!signal.aborted) {
        shown.push(text);
      }
    };
    const slow = Promise.withResolvers<string>();
    const first = show(slow.promise);
    await show(Promise.resolve("second"));
    slow.resolve("first");
    await first;
    assert.deepEqual(shown, ["second"]);
  });

  it("can be canceled, also before the first, and others can follow", () => {
    const requests = new LatestRequest();
    requests.cancel();
    const first = requests.begin();
    requests.cancel();
    assert.deepEqual([first.aborted, requests.begin().aborted], [true, false]);
  });
});
