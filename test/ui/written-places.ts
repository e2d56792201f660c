// What a run of the editor leaves behind, and where a secret is in it.
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { waitFor } from "../harness/workbench/waiting.ts";
import type { TenantWindow } from "./tenant-window.ts";

/** A place where something was written, and the text. */
export interface Written {
  readonly place: string;
  readonly text: string;
}

/** Everything that the editor, its extension host, and the window wrote, printed, stored, or visited. */
export async function everythingWritten(
  window: TenantWindow,
  addresses: readonly string[],
): Promise<readonly Written[]> {
  const { workbench, dataDirectory } = window;
  // Repeated if the editor removes a file meanwhile, such as the backup of a saved file: its text may have moved.
  const files = await waitFor("files that the editor keeps", () => filesIn(dataDirectory));
  return [
    ...files,
    { place: "printed by the extension host and the window", text: workbench.window.log() },
    { place: "printed by the server", text: window.serverOutput() },
    { place: "visited addresses", text: addresses.join("\n") },
    { place: "stored in the window", text: await workbench.page.evaluate<string>(storedInWindow) },
  ];
}

/** Where one of these secrets is, in any of its forms, with the text before it. */
export function placesOf(secrets: readonly string[], written: readonly Written[]): readonly string[] {
  return secrets.flatMap((secret, index) =>
    formsOf(secret).flatMap((form) =>
      written
        .filter(({ text }) => text.includes(form))
        .map(({ place, text }) => {
          const at = text.indexOf(form);
          const around = text.slice(Math.max(0, at - 120), at);
          return `secret ${index} as ${form.slice(0, 4)}… in ${place} after: ${around}`;
        }),
    ),
  );
}

/**
 * A secret in all forms in which it can appear in a text: unchanged, encoded, and within base64 at each of its three
 * offsets.
 */
function formsOf(secret: string): readonly string[] {
  const base64 = [0, 1, 2].map((offset) => {
    const bytes = Buffer.from("-".repeat(offset) + secret);
    const first = Math.ceil((offset * 8) / 6);
    return bytes.toString("base64").slice(first, Math.floor((bytes.length * 8) / 6));
  });
  return [...new Set([secret, encodeURIComponent(secret), Buffer.from(secret).toString("hex"), ...base64])];
}

async function filesIn(directory: string): Promise<readonly Written[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  return Promise.all(
    entries
      .filter((entry) => entry.isFile())
      .map(async (entry) => {
        const place = join(entry.parentPath, entry.name);
        return { place, text: await readFile(place, "latin1") };
      }),
  );
}

/** A script for the window that returns its databases, local storage, and session storage as one text. */
const storedInWindow = String.raw`(async () => {
  const result = (request) =>
    new Promise((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
  const textOf = (value) =>
    ArrayBuffer.isView(value) || value instanceof ArrayBuffer
      ? new TextDecoder("latin1").decode(value)
      : typeof value === "string" ? value : JSON.stringify(value);
  const texts = [JSON.stringify(localStorage), JSON.stringify(sessionStorage)];
  for (const { name } of await indexedDB.databases()) {
    const database = await result(indexedDB.open(name));
    for (const store of database.objectStoreNames) {
      const objects = database.transaction(store).objectStore(store);
      const [keys, values] = await Promise.all([result(objects.getAllKeys()), result(objects.getAll())]);
      texts.push(...keys.map((key, index) => name + "/" + store + "/" + String(key) + ": " + textOf(values[index])));
    }
    database.close();
  }
  return texts.join("\n");
})()`;
