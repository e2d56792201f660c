import type { InstalledPackage, PackageEnvironment } from "../../api/companion/operations/packages.ts";

/** What changes an environment: conda where it is conda's, uv where uv has made it, otherwise pip. */
export type PackageTool = "conda" | "pip" | "uv";

/** The tool that installs into an environment. Undefined if there is none. */
export function toolFor({ conda, hasPip, hasUv, isMadeByUv }: PackageEnvironment): PackageTool | undefined {
  if (conda !== null) {
    return "conda";
  }
  if (hasUv && (isMadeByUv || !hasPip)) {
    return "uv";
  }
  return hasPip ? "pip" : undefined;
}

/** The tool that changes an installed package: in an environment of conda, those of pip stay pip's. */
export function toolOf(environment: PackageEnvironment, { installer }: Pick<InstalledPackage, "installer">) {
  const isOfPip = environment.conda !== null && installer !== "conda" && installer !== "";
  return toolFor(isOfPip ? { ...environment, conda: null } : environment);
}

/** The words of the command that installs what meets the requirements. `upgrades`: in its newest version. */
export function installWords(
  environment: PackageEnvironment,
  tool: PackageTool,
  requirements: readonly string[],
  upgrades = false,
): readonly string[] {
  switch (tool) {
    case "conda":
      return [...condaWords(environment, upgrades ? "update" : "install"), ...requirements];
    case "uv":
    case "pip":
      return [...pipWords(environment, tool, "install"), ...(upgrades ? ["--upgrade"] : []), ...requirements];
  }
}

/** The words of the command that installs from a requirements.txt in the terminal's folder. */
export function installFileWords(environment: PackageEnvironment, tool: "pip" | "uv", name: string): readonly string[] {
  return [...pipWords(environment, tool, "install"), "-r", `./${name}`];
}

/** The words of the command that uninstalls a package, which the user has confirmed. */
export function uninstallWords(environment: PackageEnvironment, tool: PackageTool, name: string): readonly string[] {
  switch (tool) {
    case "conda":
      return [...condaWords(environment, "remove"), name];
    case "uv":
      return [...pipWords(environment, tool, "uninstall"), name];
    case "pip":
      return [...pipWords(environment, tool, "uninstall"), "--yes", name];
  }
}

function pipWords({ executable }: PackageEnvironment, tool: "pip" | "uv", command: string): readonly string[] {
  return tool === "uv" ? ["uv", "pip", command, "--python", executable] : [executable, "-m", "pip", command];
}

function condaWords({ conda, prefix }: PackageEnvironment, command: string): readonly string[] {
  return [conda ?? "conda", command, "--prefix", prefix];
}
