// nginx with the shipped configuration, on its own ports in front of local front doors.
import { spawn } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { MissingPartError } from "../../../scripts/set-up/part.ts";
import { projectDirectory } from "../../../scripts/set-up/paths.ts";
import { runProgram } from "../../../scripts/set-up/run-program.ts";
import { nginx } from "../../../scripts/set-up/system-programs.ts";
import { endProcess } from "../end-process.ts";
import { freePort } from "../free-port.ts";
import { untilItListens } from "./listening.ts";

export interface LoadBalancer {
  /** `https://127.0.0.1:PORT` */
  readonly url: string;
  /** PEM of its certificate. */
  readonly certificate: string;
  /** Its worker is a child of this process. */
  readonly processId: number;
  stop(): Promise<void>;
}

/** Starts nginx in front of one or more origins. `directory` contains all of its files. */
export async function startLoadBalancer(directory: string, origins: readonly string[]): Promise<LoadBalancer> {
  const found = await nginx.find();
  if (found === undefined) throw new MissingPartError(nginx.name, "it is not on this machine.", nginx.remedy);
  const certificate = await makeCertificate(directory);
  const port = await freePort();
  const shipped = await readFile(join(projectDirectory, "deployment", "front-door", "nginx.conf"), "utf8");
  await writeFile(join(directory, "nginx.conf"), adapted(shipped, directory, port, origins));
  await mkdir(join(directory, "logs"), { recursive: true });
  const settings = ["-e", "stderr", "-p", directory, "-c", join(directory, "nginx.conf"), "-g", "daemon off;"];
  const child = spawn(found.executable, settings, { stdio: ["ignore", "ignore", "pipe"] });
  let said = "";
  child.stderr.on("data", (part: Buffer) => {
    said += part.toString();
  });
  await untilItListens("nginx", port, child, () => said);
  return { url: `https://127.0.0.1:${port}`, certificate, processId: child.pid ?? 0, stop: () => endProcess(child) };
}

/** Added to each server of the shipped configuration. */
const health = " max_fails=2 fail_timeout=5s;";

/** The shipped configuration with the locations of this run. Throws if one of the replaced parts is missing. */
function adapted(shipped: string, directory: string, port: number, origins: readonly string[]): string {
  const changes: readonly (readonly [from: string, to: string])[] = [
    ["worker_processes auto;", `worker_processes 1;\n${process.getuid?.() === 0 ? "user root;" : ""}`],
    // All load of a test comes from one address.
    ["rate=50r/s", "rate=5000r/s"],
    ["error_log /dev/stderr", "error_log stderr"],
    ["pid /tmp/nginx.pid;", `pid ${join(directory, "nginx.pid")};`],
    [`    server front-door-1:8080${health}\n`, ""],
    [
      `    server front-door-2:8080${health}\n`,
      origins.map((origin) => `    server ${new URL(origin).host}${health}\n`).join(""),
    ],
    ["listen 8443 ssl", `listen 127.0.0.1:${port} ssl`],
    ["/etc/nginx/tls/tls.crt", join(directory, "tls.crt")],
    ["/etc/nginx/tls/tls.key", join(directory, "tls.key")],
    ["access_log off;", `access_log off;\n${temporaryPaths(directory)}`],
  ];
  return changes.reduce((text, [from, to]) => {
    if (text.split(from).length !== 2) throw new Error(`the shipped nginx.conf does not have "${from}" once`);
    return text.replace(from, () => to);
  }, shipped);
}

function temporaryPaths(directory: string): string {
  const kinds = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
  return kinds.map((kind) => `${kind}_temp_path ${join(directory, kind)};`).join("\n");
}

/**
 * Creates a certificate for localhost and its key, as `tls.crt` and `tls.key` in the directory. Returns the
 * certificate.
 */
export async function makeCertificate(directory: string): Promise<string> {
  const { code, output } = await runProgram("openssl", [
    ...["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost"],
    ...["-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"],
    ...["-keyout", join(directory, "tls.key"), "-out", join(directory, "tls.crt")],
  ]);
  if (code !== 0) throw new Error(`openssl makes no certificate: ${output}`);
  return readFile(join(directory, "tls.crt"), "utf8");
}
