import type { KernelInformation } from "../models.ts";

/** True for kernels that evaluate Python as IPython does. */
export function isIPython({ languageName, implementation }: KernelInformation): boolean {
  return languageName === "python" && implementation === "ipython";
}

/** True if the kernel can evaluate while a cell runs. */
export function hasSubshells({ features }: KernelInformation): boolean {
  return features.has("kernel subshells");
}
