import assert from "node:assert/strict";
import fc from "fast-check";
import { hasEnded, lifetimeOf, renewalTimeOf } from "../../../../src/features/front-door/token.ts";

function token(claims: unknown, prefix = "acme_"): string {
  return `${prefix}eyJhbGciOiJSUzI1NiJ9.${Buffer.from(JSON.stringify(claims)).toString("base64url")}.c2ln`;
}

describe("a front door token's life", () => {
  it("is read from its claims, with a prefix and without", () => {
    for (const prefix of ["", "acme_", "a_b_"]) {
      assert.deepEqual(lifetimeOf(token({ iat: 100, exp: 4600 }, prefix)), { from: 100_000, until: 4_600_000 });
    }
    assert.deepEqual(lifetimeOf(token({ exp: 4600 })), { from: undefined, until: 4_600_000 });
  });

  it("is not known of any other text, and never throws", () => {
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

  it("ends a few seconds early, so that no request goes out with a dead token", () => {
    assert.equal(hasEnded(token({ exp: 1000 }), 994_000), false);
    assert.equal(hasEnded(token({ exp: 1000 }), 996_000), true);
  });

  it("is renewed a tenth before its end, 30 seconds at least and 5 minutes at most", () => {
    const before = (life: number): number =>
      (4_600_000 - (renewalTimeOf(token({ iat: 4600 - life, exp: 4600 })) ?? 0)) / 1000;
    assert.deepEqual([60, 600, 1800, 3600, 86_400].map(before), [30, 60, 180, 300, 300]);
    assert.equal(renewalTimeOf(token({ exp: 4600 })), 4_570_000);
  });
});
