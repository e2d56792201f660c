import { personOf } from "../seed/organization.ts";
import { Random } from "../seed/random.ts";
import type { TriggerState, VersionState, WorkflowState } from "../seed/workflows.ts";
import { fieldsOf } from "./handler.ts";

type Shape = Readonly<Record<string, unknown>>;

/** A workflow in the list (API description, 4.7). */
export function modelShape(model: WorkflowState): Shape {
  const [newest] = model.versions;
  return {
    id: model.id,
    name: model.name,
    description: model.description,
    owner: model.owner,
    createdBy: model.owner,
    createdOn: model.createdAt,
    updatedBy: model.owner,
    updatedOn: model.updatedAt,
    lastVersionUpdatedOn: newest?.updatedAt ?? null,
    lastVersionUpdatedBy: newest?.createdBy ?? null,
    userPermissions: [],
  };
}

/** A single workflow; `runs` are its executions by version. */
export function wholeModelShape(model: WorkflowState, runs: ReadonlyMap<string, number>, withUsers: boolean): Shape {
  return {
    ...modelShape(model),
    activeVersions: model.versions.filter(({ active }) => active).length,
    numberOfVersions: model.versions.length,
    totalTimesRun: [...runs.values()].reduce((sum, count) => sum + count, 0),
    userName: personOf(Number(model.owner)).name,
    lockInfo: model.versions.flatMap(({ version, lock }) =>
      lock === null ? [] : [{ version, ...lock, success: true }],
    ),
    userPermissions: withUsers
      ? model.permissions.USER.map(({ id, permissions }) => ({ id, roleId: personOf(Number(id)).roleId, permissions }))
      : [],
    versions: model.versions.map((version) => ({
      version: version.version,
      active: version.active,
      description: version.description,
      owner: model.owner,
      starts: null,
      deployedOn: version.releasedAt,
      manualTriggerId: version.manualTriggerId,
      totalTimesRun: runs.get(version.version) ?? 0,
      createdBy: version.createdBy,
      createdOn: version.createdAt,
      updatedBy: version.createdBy,
      updatedOn: version.updatedAt,
    })),
  };
}

/** The response to a create: versions are bare strings. */
export function createdModelShape(model: WorkflowState): Shape {
  return {
    id: model.id,
    name: model.name,
    description: model.description,
    owner: model.owner,
    createdAt: model.createdAt,
    createdBy: model.owner,
    updatedAt: model.updatedAt,
    updatedBy: model.owner,
    activeVersions: 0,
    totalExecutions: 0,
    versions: model.versions.map(({ version }) => version),
  };
}

export function versionShape(model: WorkflowState, version: VersionState, runs: number): Shape {
  return {
    modelId: model.id,
    version: version.version,
    description: version.description,
    active: version.active,
    owner: model.owner,
    createdAt: version.createdAt,
    createdBy: version.createdBy,
    updatedAt: Date.parse(version.updatedAt),
    updatedBy: version.createdBy,
    releasedAt: version.releasedAt,
    deletedAt: null,
    manualTriggerId: version.manualTriggerId,
    startEventId: "start",
    totalExecutions: runs,
  };
}

/** The locks by version; an unlocked version has an empty entry. */
export function locksShape(model: WorkflowState): Shape {
  return Object.fromEntries(
    model.versions.map(({ version, lock }) => [version, lock === null ? {} : { ...lock, success: true }]),
  );
}

/** The package function that a workflow's second step calls. */
export function functionOf(model: WorkflowState): string {
  return new Random(`function ${model.id}`).pick(["ce-1", "ce-2", "ce-3"]);
}

const steps = ["Read the request", "Check it", "Ask the owner", "Write the result"];
const size = { width: 200, height: 60 };

/**
 * A definition with a start, some steps, and an end. With three steps or more, the second step decides about the third.
 */
export function definitionShape(model: WorkflowState, version: VersionState): unknown {
  if (version.definition !== undefined) {
    return version.definition;
  }
  const random = new Random(`definition ${model.id} ${version.version}`);
  const titles = ["Start", ...steps.slice(0, random.integer(2, steps.length)), "End"];
  const last = titles.length - 1;
  const decides = last >= 4;
  const idOf = (index: number): string => (index === 0 ? "rootNode" : `node${index}`);
  const kindOf = (index: number): string =>
    index === 0 ? "Start" : index === last ? "End" : index === 2 && decides ? "Gateway" : "Service";
  const nodes = titles.map((title, index) => ({
    id: idOf(index),
    type: index === 0 ? "rootNode" : index === last ? "endNode" : "serviceNode",
    index,
    position: { x: decides && index === 3 ? 360 : 80, y: index * 140 - 230 },
    style: { zIndex: 3 },
    data: {
      title,
      type: kindOf(index),
      _designNode: idOf(index),
      description: "",
      dimensions: size,
      ...(index === 1 ? { description: "Reads the request and its author." } : {}),
      ...(index === 2 && !decides ? { packageId: functionOf(model), functionName: "run" } : {}),
      ...(index === 3 && decides ? { packageId: functionOf(model), functionName: "ask" } : {}),
    },
  }));
  const inOrder = titles.slice(1).map((_, index): readonly [number, number, string] => [index, index + 1, ""]);
  const branching: readonly (readonly [number, number, string])[] = [
    ...inOrder.filter(([from]) => from !== 2),
    [2, 3, "over the limit"],
    [2, 4, "within the limit"],
  ];
  const edges = (decides ? branching : inOrder).map(([from, to, label]) => ({
    id: `${idOf(from)}-${idOf(to)}`,
    type: "smoothstep",
    source: idOf(from),
    target: idOf(to),
    ...(label === "" ? {} : { label }),
  }));
  return {
    version: 2,
    designElements: [...nodes, ...edges],
    dataList: [
      ...[
        ["amount", "number"],
        ["comment", "text"],
      ].map(([paramName, dataType], index) => ({
        id: `v${index + 1}`,
        paramName,
        dataType,
        isList: false,
        value: null,
        children: [],
        showChildren: false,
        entitySubType: null,
      })),
    ],
    outputs: [],
  };
}

/** The form for a version's input; a trigger's form has the trigger's default values. */
export function formShape(model: WorkflowState, version: VersionState, trigger?: TriggerState): Shape {
  const defaults = fieldsOf(trigger?.defaultValues);
  const field = (id: string, alias: string, dataType: string) => ({
    id,
    defaultValue: defaults[alias] ?? null,
    alias,
    label: alias.charAt(0).toUpperCase() + alias.slice(1),
    dataType,
    fieldType: "SHORT_ANSWER",
    isList: false,
    optional: dataType === "TEXT",
  });
  return {
    id: new Random(`form ${model.id} ${version.version}`).uuid(),
    name: "Start form",
    description: trigger === undefined ? "" : `Filled in for ${trigger.name}`,
    domainId: model.id,
    domainType: "WORKFLOW",
    sections: [{ id: "s1", title: "Input", fields: [field("f1", "amount", "NUMBER"), field("f2", "comment", "TEXT")] }],
    attributes: [],
    settings: {},
    fieldConfiguration: {},
    submitConfiguration: {},
    referencedEntities: null,
    searchable: false,
    createdBy: version.createdBy,
    createdOn: Date.parse(version.createdAt),
  };
}
