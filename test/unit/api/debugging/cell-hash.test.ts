import assert from "node:assert/strict";
import { cellHash } from "../../../../src/api/debugging/cell-hash.ts";

describe("the hash of a cell's code", () => {
  // The values of ipykernel.compiler.murmur2_x86.
  const expected: readonly (readonly [code: string, hash: number])[] = [
    ["", 3_990_065_800],
    ["a", 2_167_009_006],
    ["ab", 2_805_137_849],
    ["abc", 3_350_977_461],
    ["abcd", 804_720_481],
    ["print('héllo 😀')\n", 2_949_380_909],
    ["x = 1\n".repeat(50), 1_464_242_264],
  ];
  for (const [code, hash] of expected) {
    it(`is ipykernel's for ${JSON.stringify(code.slice(0, 20))}`, () => {
      assert.equal(cellHash(code, 0xc70f6907), hash);
    });
  }
});
