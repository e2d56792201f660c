import { people, userId } from "./organization.ts";
import { Random } from "./random.ts";

/** The stored data of a version. Times are ISO 8601, or null if the event has not happened. */
export interface VersionState {
  readonly version: string;
  readonly description: string;
  readonly active: boolean;
  readonly createdAt: string;
  readonly createdBy: string;
  readonly updatedAt: string;
  readonly releasedAt: string | null;
  readonly manualTriggerId: string | null;
  readonly lock: { readonly lockedBy: string; readonly lockedOn: number } | null;
  /** The definition if one was saved; other definitions are derived from the workflow. */
  readonly definition?: unknown;
}

interface HolderState {
  readonly id: string;
  readonly name: string;
  readonly permissions: readonly string[];
}

/** The stored data of a workflow. */
export interface WorkflowState {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly owner: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  /** Newest first. */
  readonly versions: readonly VersionState[];
  readonly permissions: { readonly USER: readonly HolderState[]; readonly GROUP: readonly HolderState[] };
}

/** The stored data of a trigger, as the platform serves it. A deleted trigger has `deletedAt`. */
export interface TriggerState {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly active: boolean;
  readonly modelId: string;
  readonly modelVersion: string;
  readonly entityType: string;
  readonly entityId: string;
  readonly deletedAt: string | null;
  readonly [member: string]: unknown;
}

/** An execution as the platform returns it. Times are in ISO 8601. */
export interface ExecutionEntry {
  readonly id: string;
  readonly modelId: string;
  readonly modelVersion: string;
  readonly status: string;
  readonly triggerType: string;
  readonly startedBy: string;
  readonly startedAt: string | null;
  readonly finishedAt: string | null;
  readonly [member: string]: unknown;
}

/**
 * The workflows of a tenant. The executions before `began` are not stored: they are derived from the workflows and
 * `seed`.
 */
export interface WorkflowsState {
  readonly seed: string;
  /** When the tenant was created. The executions are in the four weeks before. */
  readonly began: string;
  readonly models: readonly WorkflowState[];
  readonly triggers: readonly TriggerState[];
  /** The executions that were started by a request, newest first. Each runs until its `endsAt`. */
  readonly started?: readonly ExecutionEntry[];
  /** The times at which executions were canceled, by id. ISO 8601. */
  readonly canceled?: Readonly<Record<string, string>>;
}

/**
 * Names, descriptions, numbers of versions, and the type of the trigger in addition to the user's, with its cron
 * expression.
 */
const descriptions: readonly (readonly [name: string, description: string, versions: number, starts: string])[] = [
  ["Invoice approval", "Asks the budget owner, then books the invoice", 2, "TIMER 0 30 6 ? * MON-FRI"],
  ["Vacation request", "From the request to the calendar", 3, "API"],
  ["Supplier onboarding", "Checks, contract, master data", 2, "WORKFLOW"],
  ["Budget alert", "Warns the owner of a budget that is running out", 1, "ALERT"],
  ["Weekly sales mail", "Sends the week's figures on Monday", 4, "TIMER 0 0 8 ? * MON"],
  ["Access request", "Grants access to a page", 2, "PAGE_ACCESS_REQUESTED"],
  ["Customer churn call list", "Whom to call this week", 2, "TIMER 0 0 7 ? * MON,THU"],
  ["Quality incident", "From the report to the corrective action", 3, "API"],
  ["Dataset quality check", "Checks counts, gaps, and outliers in the nightly loads", 2, "TIMER 0 0 5 ? * *"],
  ["Expense report", "Receipts, check, payment", 2, "CUSTOM_APP"],
  ["New hire", "Accounts, hardware, first day", 3, "API"],
  ["Contract renewal", "Asks 90 days before a contract ends", 1, "TIMER 0 0 9 1 * ?"],
  ["Price change", "Approves and publishes new prices", 2, "APP_STUDIO"],
  ["Ticket escalation", "Escalates tickets that have waited too long", 2, "TIMER 0 0 6-18/4 ? * MON-FRI"],
  ["Übergabe Schicht", "Handover between two shifts", 1, "API"],
];

const zones = ["Europe/Berlin", "America/Denver", "Asia/Tokyo", "GMT"] as const;
const everything = ["ADMIN", "SHARE", "DELETE", "WRITE", "READ", "EXPORT", "EXECUTE", "READ_CONTENT", "UPDATE_CONTENT"];
const founded = "2025-10-02T08:15:30Z";
const changed = "2025-11-18T16:42:05Z";

/** Fifteen workflows with versions, triggers, locks, and permissions, the same for the same seed. */
export function sampleWorkflows(seed: string, began: Date): WorkflowsState {
  const made = descriptions.map(([name, description, count, starts]) => {
    const random = new Random(`${seed} workflow ${name}`);
    const id = random.uuid();
    const owner = String(random.chance(0.6) ? userId : random.pick(people).id);
    const createdAt = random.time(founded, "2025-10-20T00:00:00Z");
    const versions = Array.from({ length: count }, (_, index) => makeVersion(random, index, count, owner, createdAt));
    const model: WorkflowState = {
      id,
      name,
      description,
      owner,
      createdAt,
      updatedAt: changed,
      versions: versions.toReversed(),
      permissions: {
        USER: [
          { id: owner, name: people.find((one) => String(one.id) === owner)?.name ?? owner, permissions: everything },
        ],
        GROUP: random.chance(0.7) ? [{ id: "31", name: "Analysts", permissions: ["READ", "EXECUTE"] }] : [],
      },
    };
    return { model, triggers: triggersOf(random, model, starts) };
  });
  return {
    seed,
    began: began.toISOString(),
    models: made.map(({ model }) => model),
    triggers: made.flatMap(({ triggers }) => triggers),
  };
}

/** All versions except a final draft are released, and the last released one is active. */
function makeVersion(random: Random, index: number, count: number, owner: string, from: string): VersionState {
  const isDraft = count > 1 && index === count - 1;
  const createdAt = random.time(from, changed);
  return {
    version: `1.${index}.0`,
    description: index === 0 ? "first" : random.pick(["Fewer steps", "Asks the deputy too", "New form"]),
    active: !isDraft && (index === count - 2 || count === 1),
    createdAt,
    createdBy: owner,
    updatedAt: createdAt,
    releasedAt: isDraft ? null : createdAt,
    manualTriggerId: isDraft ? null : random.uuid(),
    lock:
      isDraft && random.chance(0.4)
        ? { lockedBy: String(random.pick(people).id), lockedOn: Date.parse(random.time(createdAt, changed)) }
        : null,
  };
}

function triggersOf(random: Random, model: WorkflowState, starts: string): readonly TriggerState[] {
  const [type = "", ...cron] = starts.split(" ");
  const released = model.versions.filter(({ releasedAt }) => releasedAt !== null);
  const common = (createdAt: string) => ({
    modelId: model.id,
    entityVersion: null,
    eventId: random.uuid(),
    defaultValues: {},
    variables: {},
    schema: {},
    createdAt,
    createdBy: model.owner,
    updatedAt: createdAt,
    updatedBy: model.owner,
    deletedAt: null,
  });
  const manual = released.map((version) => ({
    ...common(version.createdAt),
    id: version.manualTriggerId ?? random.uuid(),
    name: `Start ${model.name}`,
    type: "MANUAL",
    active: version.active,
    modelVersion: version.version,
    entityVersion: version.version,
    entityType: "ODYSSEY_WORKFLOW_MODEL",
    entityId: model.id,
    metadata: { type: "MANUAL", formId: null },
  }));
  const active = released.find((version) => version.active);
  if (active === undefined) {
    return manual;
  }
  const isTimer = type === "TIMER";
  const other = {
    ...common(active.createdAt),
    id: random.uuid(),
    name: isTimer ? "Regular run" : `By ${type.toLowerCase().replaceAll("_", " ")}`,
    type,
    active: true,
    modelVersion: active.version,
    entityType: isTimer ? "USER" : "ODYSSEY_WORKFLOW_MODEL",
    entityId: isTimer ? model.owner : model.id,
    metadata: isTimer ? { type, cron: cron.join(" "), timeZone: random.pick(zones), activeHours: null } : { type },
  };
  const old = { ...other, id: random.uuid(), name: "Old", active: false, deletedAt: "2025-11-02T09:12:44Z" };
  return [...manual, other, ...(random.chance(0.4) ? [old] : [])];
}
