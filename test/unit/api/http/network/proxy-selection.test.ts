import assert from "node:assert/strict";
import { ProxyError } from "../../../../../src/api/http/network/proxy.ts";
import { type ProxySettings, proxyAt, selectProxy } from "../../../../../src/api/http/network/proxy-selection.ts";

const basic = (login: string): string => `Basic ${Buffer.from(login).toString("base64")}`;

describe("selection of a proxy", () => {
  const selected = (origin: string, settings: ProxySettings, environment: Record<string, string> = {}): unknown => {
    const found = selectProxy(new URL(origin), settings, environment);
    return typeof found === "object" ? found.address : found;
  };

  it("reads addresses with and without a scheme, and credentials apart from them", () => {
    const cases: readonly (readonly [string, string, string | undefined])[] = [
      ["http://proxy.test:3128", "http://proxy.test:3128", undefined],
      ["proxy.test:3128", "http://proxy.test:3128", undefined],
      [" proxy.test ", "http://proxy.test", undefined],
      ["ada:secret@proxy.test:3128", "http://proxy.test:3128", basic("ada:secret")],
      ["http://ada:p%40ss%3A%20word@proxy.test/", "http://proxy.test", basic("ada:p@ss: word")],
      ["http://ada:100%@proxy.test", "http://proxy.test", basic("ada:100%")],
      ["https://ada@proxy.test", "https://proxy.test", basic("ada:")],
      ["socks5h://proxy.test:1080", "socks5://proxy.test:1080", undefined],
      ["http://[::1]:3128", "http://[::1]:3128", undefined],
    ];
    for (const [text, address, authorization] of cases) {
      assert.deepEqual(proxyAt(text, "setting"), {
        address,
        source: "setting",
        ...(authorization === undefined ? {} : { authorization }),
      });
    }
    assert.equal(proxyAt("http://ada:secret@proxy.test", "setting", "Negotiate abc").authorization, "Negotiate abc");
  });

  it("names an invalid address without its credentials", () => {
    for (const text of ["http://ada:secret@", "http://ada:secret@:80", "ftp://ada:secret@proxy.test", "http://[x"]) {
      assert.throws(
        () => proxyAt(text, "setting"),
        (error) =>
          error instanceof ProxyError &&
          error.problem.type === "invalid" &&
          !error.problem.address.includes("secret") &&
          error.code === "PROXY_INVALID",
      );
    }
  });

  it("takes the setting before the environment, and the variable of the scheme", () => {
    const environment = { HTTPS_PROXY: "secure.test", http_proxy: "plain.test", HTTP_PROXY: "other.test" };
    assert.equal(selected("https://a.test", { proxy: "own.test" }, environment), "http://own.test");
    assert.equal(selected("https://a.test", {}, environment), "http://secure.test");
    assert.equal(selected("http://a.test", { proxy: " " }, environment), "http://plain.test");
    assert.equal(selected("https://a.test", {}, { HTTP_PROXY: "other.test" }), "http://other.test");
    assert.equal(selected("http://a.test", {}, { HTTPS_PROXY: "secure.test" }), undefined);
    assert.equal(selected("https://a.test", {}, {}), undefined);
  });

  it("never uses a proxy for this computer", () => {
    for (const host of ["localhost", "a.localhost", "127.0.0.1:8080", "127.1.2.3", "[::1]:80"]) {
      assert.equal(selected(`http://${host}`, { proxy: "own.test" }), "direct");
    }
    assert.equal(selected("http://localhost.test", { proxy: "own.test" }), "http://own.test");
  });

  it("bypasses the proxy for the hosts of the setting, or else of NO_PROXY", () => {
    const cases: readonly (readonly [string, string, boolean])[] = [
      ["https://a.test", "a.test", true],
      ["https://b.a.test", "a.test", true],
      ["https://ba.test", "a.test", false],
      ["https://a.test", ".A.test", true],
      ["https://a.test", "*.a.test", false],
      ["https://b.a.test", "*.a.test", true],
      ["https://a.test.", "a.test", true],
      ["https://a.test", "*", true],
      ["https://a.test:8443", "a.test:8443", true],
      ["https://a.test", "a.test:443", true],
      ["http://a.test", "a.test:443", false],
      ["https://10.0.0.1", "10.0.0.1", true],
      ["https://[fe80::1]:8443", "fe80::1", true],
      ["https://[fe80::1]:8443", "[fe80::1]:8443", true],
      ["https://[fe80::1]:8443", "[fe80::1]:443", false],
      ["https://a.test", "", false],
    ];
    for (const [origin, entry, isDirect] of cases) {
      const expected = isDirect ? "direct" : "http://own.test";
      assert.equal(
        selected(origin, { proxy: "own.test", noProxy: ["other.test", entry] }),
        expected,
        `${origin} ${entry}`,
      );
      assert.equal(selected(origin, { proxy: "own.test" }, { NO_PROXY: `other.test, ${entry}` }), expected);
    }
    assert.equal(
      selected("https://a.test", { proxy: "own.test", noProxy: ["b.test"] }, { NO_PROXY: "*" }),
      "http://own.test",
    );
  });
});
