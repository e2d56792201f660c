import { readFile } from "node:fs/promises";
import * as tls from "node:tls";
import { lazy } from "../../lazy.ts";

/** Where Linux distributions keep the certificates of all authorities that the system trusts. */
const linuxFiles = [
  "/etc/ssl/certs/ca-certificates.crt",
  "/etc/ssl/certs/ca-bundle.crt",
  "/etc/ssl/ca-bundle.pem",
  "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem",
];

/**
 * The certificate authorities that the system trusts, in addition to those of Node. They are read only when a server
 * isn't trusted without them, because that takes time.
 */
export class SystemTrust {
  readonly #load: () => Promise<boolean>;
  #context: tls.SecureContext | undefined;

  /** `read` returns certificates as PEM. */
  constructor(read: () => Promise<readonly string[]> = readSystemCertificates) {
    this.#load = lazy(async () => {
      const certificates = await read();
      if (certificates.length > 0) {
        this.#context = tls.createSecureContext({ ca: [...tls.getCACertificates("default"), ...certificates] });
      }
      return certificates.length > 0;
    });
  }

  /** For connections that trust all of them; undefined as long as they aren't needed. */
  get context(): tls.SecureContext | undefined {
    return this.#context;
  }

  /** Reads the certificates. Resolves with true if there are any. */
  load(): Promise<boolean> {
    return this.#load();
  }
}

async function readSystemCertificates(): Promise<readonly string[]> {
  const ofNode = tls.getCACertificates("system");
  if (process.platform !== "linux") {
    return ofNode;
  }
  for (const file of linuxFiles) {
    const text = await readFile(file, "utf8").catch(() => undefined);
    if (text !== undefined) {
      return [...ofNode, ...text.split(/(?=-----BEGIN CERTIFICATE-----)/).filter((part) => part.startsWith("-----"))];
    }
  }
  return ofNode;
}
