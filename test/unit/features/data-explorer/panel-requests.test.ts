import assert from "node:assert/strict";
import { PanelRequests } from "../../../../src/features/data-explorer/browser/panel-requests.ts";
import { plainView as view } from "../../../../src/features/data-explorer/frame-session.ts";
import type { PageMessage } from "../../../../src/features/data-explorer/messages.ts";

describe("the requests of the page of the data explorer", () => {
  const code = { type: "copyCode", view } as const;
  const waiting = { onReply: () => undefined, onError: () => undefined };
  let posted: PageMessage[];
  let requests: PanelRequests;

  beforeEach(() => {
    posted = [];
    requests = new PanelRequests((message) => posted.push(message));
  });

  it("have an id each, and get their replies in any order, once", () => {
    const other = { ...waiting };
    const [first, second] = [requests.send(code, waiting), requests.send({ type: "view", view }, other)];
    assert.deepEqual(posted, [
      { ...code, id: first },
      { type: "view", view, id: second },
    ]);
    assert.equal(requests.take(second), other);
    assert.equal(requests.take(first), waiting);
    assert.equal(requests.take(first), undefined);
    assert.equal(requests.size, 0);
  });

  it("say whether another one waits", () => {
    const first = requests.send(code, waiting);
    assert.deepEqual([requests.hasOthers(first), requests.hasOthers(undefined)], [false, true]);
    requests.send(code, waiting);
    assert.equal(requests.hasOthers(first), true);
  });

  it("are canceled while they wait, so that their replies are ignored", () => {
    const id = requests.send(code, waiting);
    requests.cancel(id);
    requests.cancel(id);
    assert.deepEqual(posted.slice(1), [{ type: "cancel", id }]);
    assert.equal(requests.take(id), undefined);
  });

  it("are forgotten without a message, and no id is used again", () => {
    const before = requests.send(code, waiting);
    requests.clear();
    assert.equal(requests.take(before), undefined);
    assert.notEqual(requests.send(code, waiting), before);
    assert.equal(posted.length, 2);
  });
});
