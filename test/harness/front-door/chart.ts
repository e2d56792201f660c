// The Helm chart as rendered by Helm, validated against schemas of Kubernetes.
import { spawn } from "node:child_process";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { chartTools } from "../../../scripts/set-up/chart-tools.ts";
import { MissingPartError } from "../../../scripts/set-up/part.ts";
import { projectDirectory } from "../../../scripts/set-up/paths.ts";

export const chartDirectory = join(projectDirectory, "deployment", "helm", "platform-workbench-front-door");

/** The oldest supported version, and the newest with available schemas. */
const versions = ["1.27", "1.37"];

/** A member of a manifest, an item of a list within it, or nothing. */
export type Part = Readonly<Record<string, unknown>>;

interface Rendered {
  readonly refused?: string;
  /** Warnings and errors of `helm lint --strict`. */
  readonly lint: readonly string[];
  readonly manifests: readonly Part[];
  /** Violations of the schemas. */
  readonly problems: readonly string[];
}

/** Renders the chart with these values; `refused` is the reason if Helm rejects them. */
export async function renderChart(values: object): Promise<Rendered> {
  const found = await chartTools.find();
  if (found === undefined) throw new MissingPartError(chartTools.name, "it is not on this machine.", chartTools.remedy);
  const script = join(import.meta.dirname, "chart.py");
  const child = spawn(found.python, [script], { stdio: ["pipe", "pipe", "pipe"] });
  child.stdin.end(JSON.stringify({ chart: chartDirectory, values, versions }));
  const [output, said] = await Promise.all([text(child.stdout), text(child.stderr)]);
  if (output === "") throw new Error(`the chart is not rendered: ${said}`);
  const rendered: Partial<Rendered> = JSON.parse(output);
  return { lint: [], manifests: [], problems: [], ...rendered };
}

/** The value at a path such as `spec.template.spec.containers.0`. */
export function at(value: unknown, path: string): unknown {
  return path.split(".").reduce<unknown>((inner, member) => {
    return typeof inner === "object" && inner !== null ? Reflect.get(inner, member) : undefined;
  }, value);
}
