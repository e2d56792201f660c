import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { ready } from "../../../scripts/set-up/part.ts";
import { pythonEnvironment } from "../../../scripts/set-up/python-environment.ts";
import { fileServer, startProgram } from "../tunnel/ports-rig.ts";

/** An environment of its own for kernels, with an index on this computer from which pip installs. */
export interface PackageTestEnvironment {
  /** The folder of the environment. */
  readonly prefix: string;
  /**
   * Variables of a server whose `python3` kernels run in the environment, and whose pip asks the index, regardless of
   * the settings of this computer.
   */
  readonly variables: Readonly<Record<string, string>>;
  /** Publishes another version of `aa-demo`, the first package by name, which has the module `aa_demo`. */
  publish(version: string): Promise<void>;
  stop(): Promise<void>;
}

/** Creates an environment that also sees the packages of the Python that runs this. */
const createEnvironment = `
import json, os, sys, venv, ipykernel
root = sys.argv[1]
prefix = os.path.join(root, "environment")
venv.create(prefix, with_pip=False, symlinks=True)
python = os.path.join(prefix, "bin", "python")
site = os.path.join(prefix, "lib", "python%d.%d" % sys.version_info[:2], "site-packages")
with open(os.path.join(site, "jupyter.pth"), "w") as file:
    file.write(os.path.dirname(os.path.dirname(ipykernel.__file__)))
kernel = os.path.join(root, "kernels", "python3")
os.makedirs(kernel)
os.makedirs(os.path.join(root, "index", "simple", "aa-demo"))
with open(os.path.join(kernel, "kernel.json"), "w") as file:
    json.dump({"argv": [python, "-m", "ipykernel_launcher", "-f", "{connection_file}"], "display_name": "Python 3", "language": "python"}, file)
`;

const buildWheel = `
import os, sys, zipfile
folder, version = sys.argv[1:]
described = "aa_demo-%s.dist-info" % version
files = {
    "aa_demo.py": "version = %r" % version,
    described + "/METADATA": "Metadata-Version: 2.1\\nName: aa-demo\\nVersion: %s\\nSummary: Shows packages\\n" % version,
    described + "/WHEEL": "Wheel-Version: 1.0\\nGenerator: test\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n",
}
files[described + "/RECORD"] = "".join("%s,,\\n" % name for name in [*files, described + "/RECORD"])
with zipfile.ZipFile(os.path.join(folder, "aa_demo-%s-py3-none-any.whl" % version), "w") as wheel:
    for name, text in files.items():
        wheel.writestr(name, text)
`;

export async function makePackageEnvironment(): Promise<PackageTestEnvironment> {
  const directory = await mkdtemp(join(tmpdir(), "platform-workbench-packages-"));
  const { python } = await ready(pythonEnvironment);
  const run = promisify(execFile);
  await run(python, ["-c", createEnvironment, directory]);
  const index = await startProgram(fileServer, join(directory, "index"));
  const prefix = join(directory, "environment");
  return {
    prefix,
    variables: {
      JUPYTER_PATH: directory,
      PIP_CONFIG_FILE: "/dev/null",
      PIP_DISABLE_PIP_VERSION_CHECK: "1",
      PIP_FIND_LINKS: "",
      PIP_INDEX_URL: `http://127.0.0.1:${index.port}/simple`,
      PIP_NO_INDEX: "0",
    },
    async publish(version) {
      await run(python, ["-c", buildWheel, join(directory, "index", "simple", "aa-demo"), version]);
    },
    async stop() {
      await index.stop();
      await rm(directory, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
