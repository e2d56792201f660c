import assert from "node:assert/strict";
import fc from "fast-check";
import { hasEnded, lifetimeOf, renewalTimeOf } from "../../../../src/features/front-door/token.ts";

function token(claims: unknown, prefix = "acme_"): string {
  return `${prefix}eyJhbGciOiJSUzI1NiJ9.${Buffer.from(JSON.stringify(claims)).toString("base64url")}.c2ln`;
}

describe("the lifetime of a front door token", () => {
  it("is read from its claims, with and without a prefix", () => {
    for (const prefix of ["", "acme_", "a_b_"]) {
      assert.deepEqual(lifetimeOf(token({ iat: 100, exp: 4600 }, prefix)), { from: 100_000, until: 4_600_000 });
    }
    assert.deepEqual(lifetimeOf(token({ exp: 4600 })), { from: undefined, until: 4_600_000 });
  });

  it("is undefined for any other text, without an exception", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.tuple(fc.string(), fc.string(), fc.string()).map((parts) => parts.join(".")),
        ),
        (text) => {
          assert.equal(lifetimeOf(text), undefined);
          assert.equal(renewalTimeOf(text), undefined);
          assert.equal(hasEnded(text), false);
        },
      ),
    );
    for (const claims of [{}, { exp: "4600" }, { exp: null }, [], null, 7]) {
      assert.equal(lifetimeOf(token(claims)), undefined);
    }
  });

  it("ends a few seconds early, so that no request is sent with an expired token", () => {
    assert.equal(hasEnded(token({ exp: 1000 }), 994_000), false);
    assert.equal(hasEnded(token({ exp: 1000 }), 996_000), true);
  });

  it("requires a renewal a tenth before its end, at least 30 seconds and at most 5 minutes", () => {
    const before = (life: number): number =>
      (4_600_000 - (renewalTimeOf(token({ iat: 4600 - life, exp: 4600 })) ?? 0)) / 1000;
    assert.deepEqual([60, 600, 1800, 3600, 86_400].map(before), [30, 60, 180, 300, 300]);
    assert.equal(renewalTimeOf(token({ exp: 4600 })), 4_570_000);
  });
});
