// Loaded into the editor's server before its own code (--import), so that the browser keeps the editor's secrets when its
// page is reloaded. The browser encrypts them with a key of which the server has one half. Without it, secrets are only in the
// page's memory. The address of this module has the file of that half, and the token that the browser must have.
import { randomBytes } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import http from "node:http";
import { syncBuiltinESMExports } from "node:module";

const { searchParams } = new URL(import.meta.url);
const file = searchParams.get("file") ?? "";
const cookie = `vscode-tkn=${searchParams.get("token")}`;
const key = stored() ?? created();

function stored() {
  try {
    const bytes = readFileSync(file);
    return bytes.length === 32 ? bytes : undefined;
  } catch {
    return undefined;
  }
}

function created() {
  const bytes = randomBytes(32);
  writeFileSync(file, bytes, { mode: 0o600 });
  return bytes;
}

function respond(request, response) {
  const cookies = (request.headers.cookie ?? "").split(";").map((part) => part.trim());
  if (cookies.includes(cookie)) response.writeHead(200, { "cache-control": "no-store" }).end(key);
  else response.writeHead(403).end();
}

const { createServer } = http;
http.createServer = (...parameters) => {
  const server = createServer(...parameters);
  const emit = server.emit.bind(server);
  server.emit = (event, ...values) => {
    const [request, response] = values;
    if (event !== "request" || request.method !== "POST" || request.url !== "/mint-key") return emit(event, ...values);
    respond(request, response);
    return true;
  };
  return server;
};
syncBuiltinESMExports();
