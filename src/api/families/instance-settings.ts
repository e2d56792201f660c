import * as z from "zod/mini";
import type { instanceSettings } from "../catalogue/models/workspaces.ts";
import { kernelLabel } from "./workspaces.ts";

/** The instance settings of notebooks as they are read (API description, 2.4). */
export type InstanceSettings = z.output<typeof instanceSettings>;

/** A size that an instance can have; memory in GB. */
interface InstanceSize {
  readonly cpu: number;
  readonly memory: number;
  /** Whether the signed-in user can choose it; undefined where the platform does not say. */
  readonly isOffered: boolean | undefined;
}

/** A kernel that notebooks can run on. */
interface Kernel {
  /** As `PYTHON_3_12`. */
  readonly code: string;
  readonly name: string;
}

/** All sizes, the smallest first; those of the signed-in user among them. */
export function instanceSizes({ instanceTypes, currentUserInstanceTypes }: InstanceSettings): readonly InstanceSize[] {
  const own = currentUserInstanceTypes ?? undefined;
  const keyOf = ({ cpu, memory }: { readonly cpu: number; readonly memory: number }): string => `${cpu}/${memory}`;
  const owned = new Set(own?.map(keyOf));
  const all = new Map([...(instanceTypes ?? []), ...(own ?? [])].map((size) => [keyOf(size), size]));
  return [...all]
    .map(([key, { cpu, memory }]) => ({ cpu, memory, isOffered: own === undefined ? undefined : owned.has(key) }))
    .toSorted((left, right) => left.cpu - right.cpu || left.memory - right.memory);
}

/** The sizes that the signed-in user can choose, the smallest first; all where the platform does not say which. */
export function offeredSizes(settings: InstanceSettings): readonly { readonly cpu: number; readonly memory: number }[] {
  return instanceSizes(settings).filter(({ isOffered }) => isOffered !== false);
}

const descriptor = z.looseObject({
  kernel: z.optional(z.string()),
  code: z.optional(z.string()),
  displayName: z.nullish(z.string()),
});

/** The kernels, under either spelling, as descriptors or as bare codes. */
export function kernelsOf({ notebookKernels, jupyterKernels }: InstanceSettings): readonly Kernel[] {
  return (notebookKernels ?? jupyterKernels ?? []).flatMap((entry): readonly Kernel[] => {
    const read = z.safeParse(descriptor, entry);
    const code = typeof entry === "string" ? entry : (read.data?.kernel ?? read.data?.code);
    const name = read.data?.displayName?.trim() || kernelLabel(code);
    return code === undefined || code === "" ? [] : [{ code, name: name ?? code }];
  });
}

/** A member whose form differs between platforms as words: a text, a list of texts. Undefined where it is neither. */
export function wordsOf(value: unknown): string | undefined {
  if (typeof value === "string") {
    return value;
  }
  return Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === "string")
    ? value.join(", ")
    : undefined;
}
