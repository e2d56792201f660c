import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Part } from "./part.ts";
import { partsDirectory } from "./paths.ts";
import { runProgram } from "./run-program.ts";
import { createVirtualEnvironment, pythonIn, runOrThrow, virtualEnvironmentRemedy } from "./virtual-environment.ts";

/** A Python with Helm as a library and the Kubernetes schemas, for checking the Helm chart without a cluster. */
export interface ChartTools {
  readonly python: string;
}

/**
 * Helm as a prebuilt library, because building Helm from source takes minutes on both cores. It is native code from a
 * package index, so only these exact files are accepted.
 */
const helm = {
  requirement: "helm-python-sdk==0.2.2",
  hashes: [
    "28cc13abaf134c3a7e37f070c939be8d9cdc9825c3c8b8b2d35161073bcd4578",
    "078bac2464ea2f4b5af24cf7873e8f78ee3f3c216766fcdea41b7c61f47275b1",
    "16fd94117e4bc8c6f854801bda6fd84fceb608e083bc5333f8f934e79bd3dcdf",
    "6119b40eaac5cc23d2c25d3da91848df477f8b347d6226ee7b5680c46164716f",
    "ee16ba35eea156bf93a791b39381fdf848e5f4935835474005e06c78420b79ae",
  ],
};
const schemas = "kubernetes-validate==1.37.0";
const directory = join(partsDirectory, "chart-tools");
const python = pythonIn(directory);
const probe = [
  "from importlib.metadata import version",
  "import helm_python, kubernetes_validate, yaml",
  `assert "helm-python-sdk==" + version("helm-python-sdk") == "${helm.requirement}"`,
  `assert "kubernetes-validate==" + version("kubernetes-validate") == "${schemas}"`,
].join("\n");

export const chartTools: Part<ChartTools> = {
  id: "chart-tools",
  name: "the checks of the Helm chart (Helm's library and the Kubernetes schemas)",
  duration: "about 20 s, once",
  remedy: virtualEnvironmentRemedy,

  async find() {
    const { code } = await runProgram(python, ["-c", probe]);
    return code === 0 ? { python } : undefined;
  },

  async install(say) {
    await createVirtualEnvironment(directory);
    const requirements = join(directory, "helm.txt");
    const hashes = helm.hashes.map((hash) => ` --hash=sha256:${hash}`).join("");
    await writeFile(requirements, `${helm.requirement}${hashes}\n`);
    const pip = ["-m", "pip", "install", "--quiet", "--only-binary=:all:", "--no-compile"];
    say(`pip install ${helm.requirement} ${schemas}…`);
    await runOrThrow(python, [...pip, "--require-hashes", "--no-deps", "-r", requirements]);
    await runOrThrow(python, [...pip, schemas]);
  },
};
