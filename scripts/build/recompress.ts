import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import sevenZipModule from "7z-wasm";
import JSZip from "jszip";

/**
 * Compresses the files of a ZIP archive again, with 7-Zip's slower search for repetitions. The archive has the same format,
 * and 3 to 4 percent fewer bytes. It has the times of ZIP, to two seconds, without those of Windows, which are 36 bytes for
 * each file. `directory`: an empty directory for the files.
 */
export async function recompress(path: string, directory: string): Promise<void> {
  const archive = await JSZip.loadAsync(await readFile(path));
  const files = Object.values(archive.files).filter(({ dir }) => !dir);
  for (const file of files) {
    const target = join(directory, file.name);
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, await file.async("nodebuffer"));
  }
  const output: string[] = [];
  const print = (line: string): void => void output.push(line);
  const sevenZip = await sevenZipModule.default({ print, printErr: print });
  sevenZip.FS.mkdir("/package");
  sevenZip.FS.mount(sevenZip.NODEFS, { root: directory }, "/package");
  sevenZip.FS.chdir("/package");
  const name = "recompressed.zip";
  sevenZip.callMain(["a", "-tzip", "-mx=9", "-mtp=2", name, "."]);
  const bytes = await readFile(join(directory, name)).catch(() => {
    throw new Error(`7-Zip didn't create the package:\n${output.join("\n")}`);
  });
  const names = (zip: JSZip): string =>
    JSON.stringify(
      Object.values(zip.files)
        .flatMap(({ dir, name: own }) => (dir ? [] : [own]))
        .sort(),
    );
  if (names(await JSZip.loadAsync(bytes)) !== names(archive))
    throw new Error("7-Zip has left out files of the package");
  await writeFile(path, bytes);
  await rm(directory, { recursive: true, force: true });
}
