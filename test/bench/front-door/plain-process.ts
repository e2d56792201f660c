// The baseline of Node and jose: a server that responds at once, and one that verifies a token and responds.
import { createServer } from "node:http";
import { createLocalJWKSet, type JSONWebKeySet, jwtVerify } from "jose";

const { keySet, issuer, audience }: { keySet: JSONWebKeySet; issuer: string; audience: string } = JSON.parse(
  process.argv[2] ?? "",
);
const keys = createLocalJWKSet(keySet);
const options = { issuer, audience, algorithms: ["RS256"] };
const body = JSON.stringify({ status: "ok" });

const server = createServer((request, response) => {
  const send = (status: number, text: string): void => {
    response.writeHead(status, { "content-type": "application/json" }).end(text);
  };
  if (request.url === "/metrics") {
    const { user, system } = process.cpuUsage();
    send(200, `process_cpu_seconds_total ${(user + system) / 1e6}\n`);
    return;
  }
  const parts: Buffer[] = [];
  request.on("data", (part: Buffer) => parts.push(part));
  request.on("end", () => {
    if (request.url !== "/verify") {
      send(200, body);
      return;
    }
    const token = request.headers.authorization?.slice("Bearer ".length) ?? "";
    jwtVerify(token, keys, options).then(
      () => send(200, body),
      () => send(401, body),
    );
  });
});
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  if (typeof address === "object" && address !== null) console.log(`http://127.0.0.1:${address.port}`);
});
process.once("SIGTERM", () => process.exit(0));
