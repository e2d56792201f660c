import * as z from "zod/mini";
import type { instanceSettings } from "../catalogue/models/workspaces.ts";
import { kernelLabel } from "./workspaces.ts";

/** The instance settings of notebooks (API description, 2.4). */
export type InstanceSettings = z.output<typeof instanceSettings>;

/** An instance size. Memory is in GB. */
interface InstanceSize {
  readonly cpu: number;
  readonly memory: number;
  /** Whether the signed-in user can choose the size; undefined if the platform doesn't report it. */
  readonly isOffered: boolean | undefined;
}

/** A kernel for notebooks. */
interface Kernel {
  /** For example, `PYTHON_3_12`. */
  readonly code: string;
  readonly name: string;
}

/** All sizes, including those of the signed-in user, smallest first. */
export function instanceSizes({ instanceTypes, currentUserInstanceTypes }: InstanceSettings): readonly InstanceSize[] {
  const own = currentUserInstanceTypes ?? undefined;
  const sizeKey = ({ cpu, memory }: { readonly cpu: number; readonly memory: number }): string => `${cpu}/${memory}`;
  const owned = new Set(own?.map(sizeKey));
  const all = new Map([...(instanceTypes ?? []), ...(own ?? [])].map((size) => [sizeKey(size), size]));
  return [...all]
    .map(([key, { cpu, memory }]) => ({ cpu, memory, isOffered: own === undefined ? undefined : owned.has(key) }))
    .toSorted((left, right) => left.cpu - right.cpu || left.memory - right.memory);
}

/** The sizes that the signed-in user can choose, smallest first; all sizes if the platform doesn't report it. */
export function offeredSizes(settings: InstanceSettings): readonly { readonly cpu: number; readonly memory: number }[] {
  return instanceSizes(settings).filter(({ isOffered }) => isOffered !== false);
}

const descriptor = z.looseObject({
  kernel: z.optional(z.string()),
  code: z.optional(z.string()),
  displayName: z.nullish(z.string()),
});

/** The kernels, under either of their names, from descriptors or bare codes. */
export function kernelsOf({ notebookKernels, jupyterKernels }: InstanceSettings): readonly Kernel[] {
  return (notebookKernels ?? jupyterKernels ?? []).flatMap((entry): readonly Kernel[] => {
    const read = z.safeParse(descriptor, entry);
    const code = typeof entry === "string" ? entry : (read.data?.kernel ?? read.data?.code);
    const name = read.data?.displayName?.trim() || kernelLabel(code);
    return code === undefined || code === "" ? [] : [{ code, name: name ?? code }];
  });
}

/**
 * Describes a member whose format differs between platforms: a string or a list of strings; undefined for other
 * formats.
 */
export function wordsOf(value: unknown): string | undefined {
  if (typeof value === "string") {
    return value;
  }
  return Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === "string")
    ? value.join(", ")
    : undefined;
}
