import assert from "node:assert/strict";
import { IncomingMessage } from "node:http";
import { Socket } from "node:net";
import {
  checkOrigin,
  headerValues,
  TrustedProxies,
} from "../../../../../src/programs/front-door/http/request-headers.ts";

function requestWith(...rawHeaders: string[]): IncomingMessage {
  const request = new IncomingMessage(new Socket());
  request.rawHeaders = rawHeaders;
  return request;
}

describe("front door: the values of a header", () => {
  it("are all sent values, in order, with any case of the name", () => {
    const request = requestWith("Host", "a", "Hostess", "b", "X-Host", "host", "HOST", "c", "host", "");
    assert.deepEqual(headerValues(request, "host"), ["a", "c", ""]);
    assert.deepEqual(headerValues(request, "origin"), []);
  });

  it("decide about an Origin only if one was sent", () => {
    const configuration = {
      authorizationServers: [],
      allowedHosts: new Set<string>(),
      allowedOrigins: new Set(["https://a.example.com"]),
    };
    const check = (...rawHeaders: string[]) => checkOrigin(requestWith(...rawHeaders), configuration)?.rejection;
    assert.equal(check("Host", "tools.example.com"), undefined);
    assert.equal(check("Origin", "https://A.example.com"), undefined);
    assert.equal(check("Origin", "https://b.example.com"), "originNotAllowed");
    assert.equal(check("Origin", "https://a.example.com", "origin", "https://a.example.com"), "originNotAllowed");
  });
});

describe("front door: trusted proxies", () => {
  it("are none by default, so that a client's own claims are ignored", () => {
    const proxies = new TrustedProxies({ trustedProxies: [] });
    assert.equal(proxies.has("127.0.0.1"), false);
    assert.equal(proxies.clientOf("127.0.0.1", ["10.0.0.1"]), "127.0.0.1");
    assert.equal(proxies.mayReach("192.0.2.1"), true);
  });

  it("report the client's address, and are the only peers without TLS", () => {
    const subnets = [{ address: "10.0.0.0", prefixLength: 8, family: "ipv4" as const }];
    const proxies = new TrustedProxies({ trustedProxies: subnets });
    assert.equal(proxies.clientOf("10.0.0.1", ["192.0.2.1, 10.0.0.2"]), "192.0.2.1");
    assert.equal(proxies.clientOf("192.0.2.9", ["192.0.2.1"]), "192.0.2.9");
    assert.equal(proxies.mayReach("192.0.2.9"), false);
  });
});
