// Information of the notebook tests about the Jupyter Server, the files next to its kernels, and the windows' leases.
import assert from "node:assert/strict";
import { readdir, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { kernelTenant as tenant } from "./kernel-notebooks.ts";

/** Code that continues after the test has created the file with this name. */
export const waitFor = (name: string): string =>
  `import os, time\nwhile not os.path.exists('${name}'):\n    time.sleep(0.05)\n`;

export const make = (name: string): Promise<void> => writeFile(`${tenant.root}/${name}`, "");

export const exists = (name: string): Promise<boolean> =>
  stat(`${tenant.root}/${name}`).then(
    () => true,
    () => false,
  );

interface Session {
  readonly id: string;
  readonly path: string;
  readonly kernel: { readonly id: string; readonly connections: number };
}

/** The sessions on the server. */
export async function sessions(): Promise<readonly Session[]> {
  const response = await fetch(`${tenant.contentUrl}api/sessions`, {
    headers: { authorization: `token ${tenant.secrets[1]}` },
  });
  assert.equal(response.status, 200);
  return (await response.json()) as readonly Session[];
}

/** Where the windows of this computer record the owners of kernels. */
export async function leaseDirectory(): Promise<string> {
  const profile = process.env.PLATFORM_WORKBENCH_PROFILE ?? "";
  const found = (await readdir(profile, { recursive: true })).find((path) => dirname(path).endsWith("kernel-leases"));
  assert.ok(found !== undefined, "the window holds a lease");
  return join(profile, dirname(found));
}
