type Members = Readonly<Record<string, unknown>>;

/** A step of a workflow, from its definition. */
export interface WorkflowStep {
  readonly id: string;
  readonly title: string;
  /** The platform's name for the kind of step: `Start`, `Service`, … */
  readonly kind: string;
  readonly role: "start" | "end" | "step";
  readonly description: string;
  /** The function that it calls. */
  readonly calls: { readonly packageId: string; readonly functionName: string } | undefined;
  /** The position of its upper left corner on the platform; undefined if the definition has none. */
  readonly position: { readonly x: number; readonly y: number } | undefined;
  readonly width: number;
  readonly height: number;
}

export interface WorkflowConnection {
  readonly from: string;
  readonly to: string;
  readonly label: string;
}

interface WorkflowParameter {
  readonly name: string;
  readonly type: string;
  readonly isList: boolean;
}

/**
 * The steps and connections of a version, read from its definition. The API description (4.6) does not specify the
 * definition's fields.
 */
export interface WorkflowDesign {
  /** In the order of the definition. */
  readonly steps: readonly WorkflowStep[];
  readonly connections: readonly WorkflowConnection[];
  /** False if the definition has no connections. The connections then follow the order of the steps. */
  readonly hasOwnConnections: boolean;
  readonly parameters: readonly WorkflowParameter[];
}

const usual = { width: 200, height: 60 } as const;

/** Reads a definition. Silently skips parts with an unexpected format. */
export function readDesign(definition: {
  readonly designElements?: readonly unknown[] | null | undefined;
  readonly dataList?: readonly unknown[] | null | undefined;
}): WorkflowDesign {
  const elements = (definition.designElements ?? []).map(membersOf).filter((element) => textOrEmpty(element.id) !== "");
  const steps = elements
    .filter((element) => !isConnection(element))
    .toSorted((left, right) => (numberOf(left.index) ?? 0) - (numberOf(right.index) ?? 0))
    .map(stepOf);
  const ids = new Set(steps.map(({ id }) => id));
  const connections = elements.flatMap(({ source, target, label, data }): readonly WorkflowConnection[] => {
    const [from, to] = [textOrEmpty(source), textOrEmpty(target)];
    return ids.has(from) && ids.has(to)
      ? [{ from, to, label: textOrEmpty(label) || textOrEmpty(membersOf(data).label) }]
      : [];
  });
  const inOrder = steps.slice(1).map(({ id }, index) => ({ from: steps[index]?.id ?? "", to: id, label: "" }));
  const parameters = (definition.dataList ?? []).flatMap((entry): readonly WorkflowParameter[] => {
    const { paramName, dataType, isList } = membersOf(entry);
    const name = textOrEmpty(paramName);
    return name === "" ? [] : [{ name, type: textOrEmpty(dataType), isList: isList === true }];
  });
  const hasOwnConnections = connections.length > 0 || steps.length < 2;
  return { steps, connections: hasOwnConnections ? connections : inOrder, hasOwnConnections, parameters };
}

function isConnection({ source, target }: Members): boolean {
  return textOrEmpty(source) !== "" && textOrEmpty(target) !== "";
}

function stepOf(element: Members): WorkflowStep {
  const [id, type] = [textOrEmpty(element.id), textOrEmpty(element.type)];
  const data = membersOf(element.data);
  const position = membersOf(element.position);
  const [x, y] = [numberOf(position.x), numberOf(position.y)];
  const { width, height } = membersOf(data.dimensions);
  const kind = textOrEmpty(data.type) || type;
  const packageId = textOrEmpty(data.packageId);
  const isStart = type === "rootNode" || kind === "Start";
  return {
    id,
    title: textOrEmpty(data.title).trim() || kind || id,
    kind,
    role: isStart ? "start" : /^end/i.test(type || kind) ? "end" : "step",
    description: textOrEmpty(data.description),
    calls: packageId === "" ? undefined : { packageId, functionName: textOrEmpty(data.functionName) },
    position: x === undefined || y === undefined ? undefined : { x, y },
    width: sizeOf(width) ?? usual.width,
    height: sizeOf(height) ?? usual.height,
  };
}

function membersOf(value: unknown): Members {
  return typeof value === "object" && value !== null ? { ...value } : {};
}

function textOrEmpty(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function numberOf(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

function sizeOf(value: unknown): number | undefined {
  const size = numberOf(value);
  return size !== undefined && size > 0 ? size : undefined;
}
