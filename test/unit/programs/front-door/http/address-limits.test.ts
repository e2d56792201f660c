import assert from "node:assert/strict";
import fc from "fast-check";
import { networkOf } from "../../../../../src/programs/front-door/http/address-limits.ts";

describe("front door: what counts as one client", () => {
  it("is an IPv4 address, and the 64 bits that an IPv6 client can't choose", () => {
    for (const [address, network] of [
      ["192.0.2.7", "192.0.2.7"],
      ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
      ["2001:0DB8:1:2::9", "2001:db8:1:2::/64"],
      ["2001:db8::1", "2001:db8:0:0::/64"],
      ["::1", "0:0:0:0::/64"],
      ["fe80::1%eth0", "fe80:0:0:0::/64"],
      ["", ""],
    ] as const) {
      assert.equal(networkOf(address), network, address);
    }
  });

  it("is the same for all addresses in such a network", () => {
    const group = fc.integer({ min: 0, max: 0xffff }).map((value) => value.toString(16));
    const four = fc.tuple(group, group, group, group).map((groups) => groups.join(":"));
    fc.assert(
      fc.property(four, four, four, (network, one, other) => {
        assert.equal(networkOf(`${network}:${one}`), networkOf(`${network}:${other}`));
      }),
    );
  });
});
