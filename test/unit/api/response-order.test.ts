import assert from "node:assert/strict";
import { ResponseOrder } from "../../../src/api/response-order.ts";

describe("the order of responses", () => {
  it("accepts them in the order of their requests, also while a later request is pending", () => {
    const order = new ResponseOrder();
    const [first, second, third] = [order.begin(), order.begin(), order.begin()];
    assert.equal(order.hasResponse, false);
    assert.deepEqual([first(), second(), third()], [true, true, true]);
    assert.equal(order.hasResponse, true);
  });

  it("drops those that arrive after that of a later request", () => {
    const order = new ResponseOrder();
    const [first, second, third] = [order.begin(), order.begin(), order.begin()];
    assert.deepEqual([second(), first(), third()], [true, false, true]);
  });

  it("accepts an earlier one if a later request got none", () => {
    const order = new ResponseOrder();
    const first = order.begin();
    order.begin();
    assert.equal(first(), true);
  });
});
