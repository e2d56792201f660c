// A proxy that adds headers to every request, for programs that can't send them themselves.
import { createServer, request } from "node:http";
import { type LocalServer, serveLocally } from "./local-server.ts";

/**
 * Starts a proxy on 127.0.0.1 that adds the headers and forwards requests to the origin that `target` returns, with
 * that origin's name as Host.
 */
export function startHeaderProxy(
  target: () => { readonly origin: string; readonly added: Readonly<Record<string, string>> },
): Promise<LocalServer> {
  return serveLocally(
    createServer((incoming, outgoing) => {
      const { origin, added } = target();
      const { hostname, port, host } = new URL(origin);
      const { method = "GET", url: path = "/" } = incoming;
      // Forwards Host and Origin if they name another machine, because a test requires it.
      const given = { host: incoming.headers.host ?? "", from: incoming.headers.origin };
      const isOwn = given.host.startsWith("127.0.0.1");
      const isFromOwn = isOwn && given.from === `http://${given.host}`;
      const headers = {
        ...incoming.headers,
        ...added,
        ...(isOwn ? { host } : {}),
        ...(isFromOwn ? { origin } : {}),
      };
      const onward = request({ hostname, port, method, path, headers }, (response) => {
        outgoing.writeHead(response.statusCode ?? 502, response.headers);
        response.pipe(outgoing);
      });
      onward.on("error", () => outgoing.destroy());
      incoming.pipe(onward);
    }),
  );
}
