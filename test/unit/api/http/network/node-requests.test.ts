// Node's own modules behind the interface of the HTTP library: both must behave in the same way.
import assert from "node:assert/strict";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import type { BodyReceiver, DispatchRequest, SocketRequest } from "../../../../../src/api/http/dispatch.ts";
import { environmentNetwork } from "../../../../../src/api/http/network/network-settings.ts";
import { createNodeRequests } from "../../../../../src/api/http/network/node-requests.ts";
import { codeOf, failureOf } from "../../../../../src/api/http/transport-errors.ts";
import { createUndiciDispatcher } from "../../../../../src/api/http/undici-dispatcher.ts";

describe("requests over Node's modules", () => {
  let server: Server;
  let origin: string;
  const library = createUndiciDispatcher({ connections: 4, network: environmentNetwork({}, {}) });
  const node = createNodeRequests({ strictCertificates: true });

  before(async () => {
    server = createServer((request, response) => {
      const { pathname, searchParams } = new URL(request.url ?? "/", "http://localhost");
      const status = Number(searchParams.get("status") ?? 200);
      switch (pathname) {
        case "/echo":
          text(request).then(
            (body) => {
              const { method, url, headers } = request;
              const { "x-own": own, "content-length": length } = headers;
              response.writeHead(status, { "content-type": "application/json", "set-cookie": "a=b" });
              response.end(JSON.stringify({ method, url, own, length, body }));
            },
            () => response.destroy(),
          );
          return;
        case "/big":
          response.writeHead(status, { "content-type": "text/plain" });
          response.end("x".repeat(200_000));
          return;
        case "/cut":
          response.writeHead(200, { "content-length": "100" });
          response.write("half", () => response.destroy());
          return;
        default: // Never responds.
      }
    });
    server.on("upgrade", (request, socket) => {
      if (request.url === "/refused") {
        socket.end("HTTP/1.1 403 Forbidden\r\nX-Why: no\r\nContent-Length: 2\r\n\r\nno");
      } else {
        const { upgrade, connection } = request.headers;
        socket.write(
          `HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: ${upgrade}\r\nX-Own: ${connection}\r\n\r\nfirst `,
        );
        socket.on("error", () => {});
        socket.once("data", (part: Buffer) => socket.end(part));
      }
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  after(async () => {
    await library.close();
    server.closeAllConnections();
    server.close();
  });

  async function both(path: string, changes: Partial<DispatchRequest> = {}): Promise<unknown> {
    const [first, second] = await Promise.all(
      [library, node].map(async (dispatcher) => {
        const received: unknown[] = [];
        const request: DispatchRequest = {
          origin,
          path,
          method: "GET",
          headers: { "x-own": "1" },
          body: undefined,
          idleLimit: 30_000,
          signal: new AbortController().signal,
          maximumBytes: 100_000,
          onReceived: (bytes) => void received.push(bytes),
          ...changes,
        };
        try {
          const { status, headers, body, ...rest } = await dispatcher.dispatch(request);
          const { date: _, connection: __, "keep-alive": ___, ...others } = headers;
          return {
            status,
            headers: others,
            body: Buffer.from(body).toString(),
            hasReceived: received.length > 0,
            ...rest,
          };
        } catch (error) {
          return {
            failure: failureOf(error, { signal: undefined, timeLimitMs: 1, isLate: false }).type,
          };
        }
      }),
    );
    assert.deepEqual(second, first);
    return second;
  }

  it("sends methods, headers, and bodies, and returns every status", async () => {
    for (const status of [200, 201, 404, 503]) {
      const body = status === 201 ? "née" : undefined;
      const method = status === 201 ? "PUT" : "DELETE";
      assert.deepEqual(await both(`/echo?status=${status}`, { method, body }), {
        status,
        headers: { "content-type": "application/json", "transfer-encoding": "chunked" },
        hasReceived: true,
        body: JSON.stringify({
          method,
          url: `/echo?status=${status}`,
          own: "1",
          ...(body === undefined ? {} : { length: "4" }),
          body: body ?? "",
        }),
      });
    }
    await both("/echo", { method: "PUT", body: new Uint8Array(10_000).fill(65) });
  });

  it("limits bodies, and gives them to a receiver", async () => {
    assert.deepEqual(await both("/big"), { failure: "tooLarge" });
    await both("/big?status=500", { maximumBytes: 1000 });
    let bytes = 0;
    const receiver: BodyReceiver = {
      begin: async () => {
        bytes = 0;
      },
      write: async (part) => {
        bytes += part.byteLength;
      },
    };
    for (const sender of [library, node]) {
      const { received, body } = await sender.dispatch({
        origin,
        path: "/big",
        method: "GET",
        headers: {},
        body: undefined,
        idleLimit: 30_000,
        receiver,
        signal: new AbortController().signal,
        maximumBytes: 1,
        onReceived: () => {},
      });
      assert.deepEqual([received, body.byteLength, bytes], [200_000, 0, 200_000]);
    }
  });

  it("fails if the connection breaks, no byte arrives in time, or it is canceled", async () => {
    await both("/cut");
    const slow = await node
      .dispatch({
        origin,
        path: "/never",
        method: "GET",
        headers: {},
        body: undefined,
        idleLimit: 20,
        signal: new AbortController().signal,
        maximumBytes: 1,
        onReceived: () => {},
      })
      .catch((error: unknown) => failureOf(error, { signal: undefined, timeLimitMs: 20, isLate: false }));
    assert.deepEqual(slow, { type: "timeLimit", milliseconds: 20 });
    const stop = new AbortController();
    const canceled = node.dispatch({
      origin,
      path: "/never",
      method: "GET",
      headers: {},
      body: undefined,
      idleLimit: 30_000,
      signal: stop.signal,
      maximumBytes: 1,
      onReceived: () => {},
    });
    stop.abort();
    await assert.rejects(canceled, { name: "AbortError" });
    await assert.rejects(
      createNodeRequests({ strictCertificates: true }).dispatch({
        origin: "http://127.0.0.1:1",
        path: "/",
        method: "GET",
        headers: {},
        body: undefined,
        idleLimit: 30_000,
        signal: new AbortController().signal,
        maximumBytes: 1,
        onReceived: () => {},
      }),
      (error) => codeOf(error) === "ECONNREFUSED",
    );
  });

  it("opens a stream, or returns the response of a server that refuses", async () => {
    for (const sender of [library, node]) {
      const request: SocketRequest = {
        origin,
        path: "/socket",
        headers: { "x-own": "1" },
        idleLimit: 30_000,
        signal: new AbortController().signal,
      };
      const opened = await sender.openSocket?.(request);
      assert.ok(opened?.type === "opened");
      assert.match(opened.headers["x-own"] ?? "", /^upgrade$/i);
      opened.stream.write("second");
      assert.equal(await text(opened.stream), "first second");
      const refused = await sender.openSocket?.({ ...request, path: "/refused" });
      assert.ok(refused?.type === "refused");
      const { status, headers, body } = refused.response;
      assert.deepEqual([status, headers["x-why"], Buffer.from(body).toString()], [403, "no", "no"]);
    }
  });
});
