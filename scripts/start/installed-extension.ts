import { mkdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { projectDirectory } from "../set-up/paths.ts";

/**
 * Puts the extension into an editor's extensions directory, as a link to this repository: the editor takes it for an
 * installed one. Other extensions that a person installed there stay.
 */
export async function linkExtension(extensionsDirectory: string): Promise<void> {
  const manifest: unknown = JSON.parse(await readFile(join(projectDirectory, "package.json"), "utf8"));
  const text = (name: string): string => String(Reflect.get(Object(manifest), name));
  const id = `${text("publisher")}.${text("name")}`;
  const version = text("version");
  const relativeLocation = `${id}-${version}`;
  const path = join(extensionsDirectory, relativeLocation);

  await mkdir(extensionsDirectory, { recursive: true });
  await rm(path, { recursive: true, force: true });
  await symlink(projectDirectory, path, "junction");

  const listFile = join(extensionsDirectory, "extensions.json");
  const listed: unknown = JSON.parse(await readFile(listFile, "utf8").catch(() => "[]"));
  const others = (Array.isArray(listed) ? listed : []).filter(
    (entry: unknown) => !JSON.stringify(entry).includes(`"id":"${id}"`),
  );
  const own = {
    identifier: { id },
    version,
    location: { $mid: 1, path, scheme: "file" },
    relativeLocation,
    metadata: { installedTimestamp: Date.now(), source: "vsix", pinned: true },
  };
  await writeFile(listFile, JSON.stringify([...others, own]));
}
