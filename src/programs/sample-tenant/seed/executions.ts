import { readSchedule } from "../../../api/families/schedule.ts";
import { Random } from "./random.ts";
import type { ExecutionEntry, TriggerState, WorkflowState, WorkflowsState } from "./workflows.ts";

const days = 28;
const dayLength = 24 * 60 * 60 * 1000;

const known = new WeakMap<WorkflowsState, readonly ExecutionEntry[]>();

/** The time that an execution takes that was started by a request, in milliseconds. */
export const startedLengthMs = 90_000;

/** All executions of the workflows, newest first. */
export function executionEntries(state: WorkflowsState): readonly ExecutionEntry[] {
  const found =
    known.get(state) ??
    state.models
      .flatMap((model) => executionsOf(state, model))
      .toSorted((left, right) => String(right.createdAt).localeCompare(String(left.createdAt)));
  known.set(state, found);
  const { started = [], canceled = {} } = state;
  const own = started.filter(({ modelId }) => state.models.some(({ id }) => id === modelId));
  return [...own.map(upToNow), ...found].map((entry) => withCancellation(entry, canceled[entry.id]));
}

/** A started execution, which is complete after its time. */
function upToNow({ endsAt, ...execution }: ExecutionEntry): ExecutionEntry {
  const isOver = Date.parse(String(endsAt)) <= Date.now();
  return isOver ? { ...execution, status: "COMPLETED", finishedAt: String(endsAt), updatedAt: endsAt } : execution;
}

function withCancellation(execution: ExecutionEntry, at: string | undefined): ExecutionEntry {
  const { finishedAt } = execution;
  return at === undefined || (finishedAt !== null && finishedAt < at)
    ? execution
    : { ...execution, status: "CANCELLED", finishedAt: at, updatedAt: at };
}

/** Timers run at their scheduled times, other triggers at any time. */
function executionsOf(state: WorkflowsState, model: WorkflowState): readonly ExecutionEntry[] {
  const began = Date.parse(state.began);
  const triggers = state.triggers.filter(
    ({ modelId, createdAt, deletedAt }) =>
      modelId === model.id &&
      Date.parse(String(createdAt)) < began &&
      (deletedAt === null || Date.parse(deletedAt) > began),
  );
  const others = triggers.filter(({ type }) => type !== "TIMER");
  const random = new Random(`${state.seed} executions ${model.id}`);
  const perDay = random.integer(1, 2);
  const atAnyTime = Array.from({ length: others.length === 0 ? 0 : days * perDay }, (_, index) => {
    const at = began - (index / perDay) * dayLength - random.integer(60_000, dayLength / perDay);
    const trigger = others[random.integer(0, others.length - 1)];
    return trigger === undefined ? undefined : makeExecution(random, model, trigger, at, began);
  }).filter((entry) => entry !== undefined);
  const timed = triggers
    .filter(({ type }) => type === "TIMER")
    .flatMap((trigger) =>
      runsOf(trigger, began).map((at) => {
        const own = new Random(`${state.seed} ${trigger.id} ${at}`);
        return makeExecution(own, model, trigger, at, began);
      }),
    );
  return [...atAnyTime, ...timed];
}

/** The times at which a timer ran before the tenant was created. */
function runsOf({ metadata }: TriggerState, began: number): readonly number[] {
  const { cron, timeZone } = { cron: "", timeZone: "", ...(metadata as object) };
  const reading = readSchedule(cron, timeZone);
  const times = reading.valid ? reading.schedule.nextRuns(days * 6, new Date(began - days * dayLength)) : [];
  return times.map(Number).filter((time) => time < began);
}

function makeExecution(
  random: Random,
  model: WorkflowState,
  trigger: TriggerState,
  at: number,
  began: number,
): ExecutionEntry {
  const length = random.integer(8_000, random.chance(0.1) ? 5_400_000 : 90_000);
  const outcome = random.pick(["COMPLETED", "COMPLETED", "COMPLETED", "COMPLETED", "COMPLETED", "FAILED", "CANCELLED"]);
  const isRunning = began - at < dayLength / 6;
  const status = isRunning ? random.pick(["IN_PROGRESS", "NOT_STARTED"]) : outcome;
  const created = new Date(at).toISOString();
  const finished = isRunning ? null : new Date(at + length).toISOString();
  return {
    id: random.uuid(),
    modelId: model.id,
    modelName: model.name,
    modelVersion: trigger.modelVersion,
    modelOwner: model.owner,
    deploymentId: random.uuid(),
    status,
    triggerId: trigger.id,
    triggerName: trigger.name,
    triggerType: trigger.type,
    triggerDeletedAt: trigger.deletedAt,
    startedBy: model.owner,
    startedAt: status === "NOT_STARTED" ? null : created,
    finishedAt: finished,
    createdAt: created,
    updatedAt: finished ?? created,
    updatedBy: model.owner,
    eventId: random.uuid(),
    linkedExecutions: [],
    processKey: random.integer(1_000_000_000, 2_000_000_000),
    workflowCluster: "cluster01",
  };
}

/** The outputs of an execution. Empty until it has completed. */
export function outputsOf(execution: ExecutionEntry): Readonly<Record<string, unknown>> {
  if (execution.status !== "COMPLETED") {
    return {};
  }
  const random = new Random(`outputs ${execution.id}`);
  return { approved: random.chance(0.8), amount: random.integer(100, 5000) / 2, comment: "ok" };
}

/** Metrics of executions. The cycle time is in milliseconds, and covers ended executions. */
export function metricsOf(executions: readonly ExecutionEntry[]): Readonly<Record<string, unknown>> {
  const ended = executions.flatMap(({ startedAt, finishedAt }) =>
    startedAt === null || finishedAt === null ? [] : [Date.parse(finishedAt) - Date.parse(startedAt)],
  );
  const total = ended.reduce((sum, length) => sum + length, 0);
  return {
    averageCycleTime: ended.length === 0 ? 0 : Math.round(total / ended.length),
    executionCount: counted(
      ["COMPLETED", "IN_PROGRESS", "CANCELLED", "FAILED", "NOT_STARTED"],
      executions.map(({ status }) => status),
    ),
    triggerCount: counted(
      ["MANUAL", "API", "TIMER"],
      executions.map(({ triggerType }) => triggerType),
    ),
  };
}

function counted(always: readonly string[], values: readonly string[]): Readonly<Record<string, number>> {
  const names = new Set([...always, ...values]);
  return Object.fromEntries([...names].map((name) => [name, values.filter((value) => value === name).length]));
}
