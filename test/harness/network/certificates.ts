import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { runProgram } from "../../../scripts/set-up/run-program.ts";

/** A key and its certificate, as PEM. */
export interface ServerCertificate {
  readonly key: string;
  readonly cert: string;
}

/** A certificate authority that no computer trusts. */
export interface TestAuthority {
  /** Its own certificate, as PEM. */
  readonly certificate: string;
  /** Path of a file with its certificate, for `NODE_EXTRA_CA_CERTS` of another process. */
  readonly file: string;
  /** Issues a certificate for hostnames; an expired one ended a day ago. */
  issue(names: readonly string[], options?: { readonly expired?: boolean }): Promise<ServerCertificate>;
  /** Makes this process trust the authority until the returned function is called. */
  trust(): () => void;
  remove(): Promise<void>;
}

const newKey = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];

export async function makeTestAuthority(): Promise<TestAuthority> {
  const directory = await mkdtemp(join(tmpdir(), "platform-workbench-certificates-"));
  const path = (name: string): string => join(directory, name);
  await openssl(
    ...["req", "-x509", ...newKey, "-days", "2", "-subj", "/CN=Authority of a test"],
    ...["-addext", "basicConstraints=critical,CA:TRUE", "-addext", "keyUsage=critical,keyCertSign"],
    ...["-keyout", path("authority.key"), "-out", path("authority.crt")],
  );
  const certificate = await readFile(path("authority.crt"), "utf8");
  let issued = 0;
  return {
    certificate,
    file: path("authority.crt"),
    async issue(names, { expired = false } = {}) {
      issued += 1;
      const [key, request, extensions, cert] = ["key", "csr", "ext", "crt"].map((end) => path(`${issued}.${end}`));
      if (key === undefined || request === undefined || extensions === undefined || cert === undefined) {
        throw new Error("a path is missing");
      }
      await writeFile(extensions, `subjectAltName=${names.map((name) => `DNS:${name}`).join(",")}\n`);
      await openssl("req", "-new", ...newKey, "-subj", `/CN=${names[0]}`, "-keyout", key, "-out", request);
      await openssl(
        ...["x509", "-req", "-in", request, "-CA", path("authority.crt"), "-CAkey", path("authority.key")],
        ...["-CAcreateserial", "-days", expired ? "-1" : "2", "-extfile", extensions, "-out", cert],
      );
      return { key: await readFile(key, "utf8"), cert: await readFile(cert, "utf8") };
    },
    trust() {
      const before = getCACertificates("default");
      setDefaultCACertificates([...before, certificate]);
      return () => setDefaultCACertificates(before);
    },
    remove: () => rm(directory, { recursive: true, force: true }),
  };
}

async function openssl(...args: readonly string[]): Promise<void> {
  const { code, output } = await runProgram("openssl", args);
  if (code !== 0) throw new Error(`openssl makes no certificate: ${output}`);
}
