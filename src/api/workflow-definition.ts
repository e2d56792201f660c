import * as z from "zod/mini";

const text = z.catch(z.nullish(z.string()), undefined);
const number = z.catch(z.nullish(z.number()), undefined);
const truth = z.catch(z.nullish(z.boolean()), undefined);
const point = z.catch(z.nullish(z.looseObject({ x: z.number(), y: z.number() })), undefined);

const designElement = z.looseObject({
  id: z.string(),
  type: text,
  index: number,
  position: point,
  source: text,
  target: text,
  label: text,
  data: z.catch(
    z.nullish(
      z.looseObject({
        ...{ title: text, type: text, description: text, label: text },
        ...{ packageId: text, functionName: text },
        dimensions: z.catch(z.nullish(z.looseObject({ width: number, height: number })), undefined),
      }),
    ),
    undefined,
  ),
});
type DesignElement = z.output<typeof designElement>;

const dataElement = z.looseObject({ paramName: text, dataType: text, isList: truth });

/** A step of a workflow as its definition tells it. */
export interface WorkflowStep {
  readonly id: string;
  readonly title: string;
  /** What kind of step it is, in the platform's words: `Start`, `Service`, … */
  readonly kind: string;
  readonly role: "start" | "end" | "step";
  readonly description: string;
  /** The function that it calls. */
  readonly calls: { readonly packageId: string; readonly functionName: string } | undefined;
  /** Where the platform draws its upper left corner; undefined where it does not tell. */
  readonly position: { readonly x: number; readonly y: number } | undefined;
  readonly width: number;
  readonly height: number;
}

export interface WorkflowConnection {
  readonly from: string;
  readonly to: string;
  readonly label: string;
}

export interface WorkflowParameter {
  readonly name: string;
  readonly type: string;
  readonly isList: boolean;
}

/** What a version does, read from its definition (API description, 4.6, which leaves its fields open). */
export interface WorkflowDesign {
  /** In the definition's order. */
  readonly steps: readonly WorkflowStep[];
  readonly connections: readonly WorkflowConnection[];
  /** False where the definition tells no connections: the given ones follow the order of the steps. */
  readonly hasOwnConnections: boolean;
  readonly parameters: readonly WorkflowParameter[];
}

const usual = { width: 200, height: 60 } as const;

/** Reads a definition; what has another form than expected is left out, never an error. */
export function readDesign(definition: {
  readonly designElements?: readonly unknown[] | null | undefined;
  readonly dataList?: readonly unknown[] | null | undefined;
}): WorkflowDesign {
  const elements = (definition.designElements ?? []).flatMap(
    (element) => z.safeParse(designElement, element).data ?? [],
  );
  const steps = elements
    .filter((element) => !isConnection(element))
    .toSorted((left, right) => (left.index ?? 0) - (right.index ?? 0))
    .map(stepOf);
  const ids = new Set(steps.map(({ id }) => id));
  const connections = elements.flatMap(({ source, target, label, data }): readonly WorkflowConnection[] => {
    const [from, to] = [source ?? "", target ?? ""];
    return ids.has(from) && ids.has(to) ? [{ from, to, label: label ?? data?.label ?? "" }] : [];
  });
  const inOrder = steps.slice(1).map(({ id }, index) => ({ from: steps[index]?.id ?? "", to: id, label: "" }));
  const parameters = (definition.dataList ?? []).flatMap((entry): readonly WorkflowParameter[] => {
    const { paramName, dataType, isList } = z.safeParse(dataElement, entry).data ?? {};
    return typeof paramName === "string" && paramName !== ""
      ? [{ name: paramName, type: dataType ?? "", isList: isList === true }]
      : [];
  });
  const hasOwnConnections = connections.length > 0 || steps.length < 2;
  return { steps, connections: hasOwnConnections ? connections : inOrder, hasOwnConnections, parameters };
}

function isConnection({ source, target }: DesignElement): boolean {
  return typeof source === "string" && typeof target === "string";
}

function stepOf({ id, type, position, data }: DesignElement): WorkflowStep {
  const { packageId, functionName, dimensions } = data ?? {};
  const kind = data?.type ?? type ?? "";
  const isStart = type === "rootNode" || kind === "Start";
  return {
    id,
    title: data?.title?.trim() || kind || id,
    kind,
    role: isStart ? "start" : /^end/i.test(type ?? kind) ? "end" : "step",
    description: data?.description ?? "",
    calls:
      packageId === undefined || packageId === null || packageId === ""
        ? undefined
        : { packageId, functionName: functionName ?? "" },
    position: position ?? undefined,
    width: dimensions?.width ?? usual.width,
    height: dimensions?.height ?? usual.height,
  };
}
