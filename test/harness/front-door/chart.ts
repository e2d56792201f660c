// The Helm chart as rendered by Helm, validated against schemas of Kubernetes.
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { chartTools } from "../../../scripts/set-up/chart-tools.ts";
import { MissingPartError } from "../../../scripts/set-up/part.ts";
import { projectDirectory } from "../../../scripts/set-up/paths.ts";
import { endProcess } from "../end-process.ts";

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

/** Renders the chart. One process for any number of values, because it loads the schemas of Kubernetes first. */
export class ChartRenderer {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #lines: AsyncIterator<string, undefined>;
  readonly #said: Promise<string>;

  private constructor(python: string) {
    this.#child = spawn(python, [join(import.meta.dirname, "chart.py")], { stdio: "pipe" });
    this.#lines = createInterface(this.#child.stdout)[Symbol.asyncIterator]();
    this.#said = text(this.#child.stderr);
  }

  static async start(): Promise<ChartRenderer> {
    const found = await chartTools.find();
    if (found === undefined)
      throw new MissingPartError(chartTools.name, "it is not on this machine.", chartTools.remedy);
    return new ChartRenderer(found.python);
  }

  /** Renders the chart with these values; `refused` is the reason if Helm rejects them. */
  async render(values: object): Promise<Rendered> {
    this.#child.stdin.write(`${JSON.stringify({ chart: chartDirectory, values, versions })}\n`);
    const line = await this.#lines.next();
    if (line.done === true) throw new Error(`the chart is not rendered: ${await this.#said}`);
    const rendered: Partial<Rendered> = JSON.parse(line.value);
    return { lint: [], manifests: [], problems: [], ...rendered };
  }

  stop(): Promise<void> {
    return endProcess(this.#child);
  }
}

/** The value at a path such as `spec.template.spec.containers.0`. */
export function at(value: unknown, path: string): unknown {
  return path.split(".").reduce<unknown>((inner, member) => {
    return typeof inner === "object" && inner !== null ? Reflect.get(inner, member) : undefined;
  }, value);
}
