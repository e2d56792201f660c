import type { KernelSpec, KernelSupport } from "../kernels/models.ts";
import type { RunnableNotebook } from "./parameters.ts";

/** The kernel specs for the cells of a notebook and for the program that runs them, or why it can't be run. */
export type RunKernels =
  | { readonly type: "found"; readonly kernel: KernelSpec; readonly programKernel: KernelSpec }
  | { readonly type: "noKernels" }
  | { readonly type: "noPython" }
  /** The server lacks the notebook's kernel spec, or any for its language if it names none. */
  | { readonly type: "missing"; readonly kernel: string };

/** Chooses the kernel specs of a run. The program needs Python; for a Python notebook, it has the kernel of the cells. */
export function runKernels(
  support: KernelSupport,
  { kernel: wanted, language }: Pick<RunnableNotebook, "kernel" | "language">,
): RunKernels {
  if (support.type === "none") {
    return { type: "noKernels" };
  }
  const isOf = (spec: KernelSpec, name: string): boolean => spec.language.toLowerCase() === name;
  const python = support.specs.filter((spec) => isOf(spec, "python"));
  const programKernel = python.find((spec) => spec.name === support.defaultName) ?? python[0];
  if (programKernel === undefined) {
    return { type: "noPython" };
  }
  const kernel =
    wanted !== undefined
      ? support.specs.find((spec) => spec.name === wanted)
      : language === "python"
        ? programKernel
        : support.specs.find((spec) => isOf(spec, language));
  if (kernel === undefined) {
    return { type: "missing", kernel: wanted ?? language };
  }
  return { type: "found", kernel, programKernel: python.includes(kernel) ? kernel : programKernel };
}
