// Messages between the panels of workflows and their pages. All of them are plain data.

/** The version whose definition a panel shows. */
export interface DefinitionSubject {
  readonly kind: "workflowDefinition";
  readonly tenantId: string;
  readonly modelId: string;
  /** The workflow's name. */
  readonly name: string;
  readonly version: string;
}

/** The workflow whose executions a panel charts. */
export interface MetricsSubject {
  readonly kind: "workflowMetrics";
  readonly tenantId: string;
  readonly modelId: string;
  /** The workflow's name. */
  readonly name: string;
}

/** The requests of the definition page. */
export type DefinitionAction = "showJson" | "showDetails";

export interface DrawnStep {
  readonly id: string;
  readonly title: string;
  readonly kind: string;
  readonly role: "start" | "end" | "step";
  readonly description: string;
  /** The name of the function that it calls; empty for none. */
  readonly calls: string;
  /** The upper-left corner and the size, in the drawing's units. */
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface DrawnConnection {
  readonly from: string;
  readonly to: string;
  readonly label: string;
  /** The line as the path of an SVG. */
  readonly path: string;
  readonly labelAt: { readonly x: number; readonly y: number };
}

/** A version's definition for drawing on a page. */
export interface DefinitionContent {
  readonly width: number;
  readonly height: number;
  readonly steps: readonly DrawnStep[];
  readonly connections: readonly DrawnConnection[];
  /** False if the definition has no connections and the lines only follow the order of the steps. */
  readonly hasOwnConnections: boolean;
  readonly parameters: readonly { readonly name: string; readonly type: string; readonly isList: boolean }[];
}

/** Counts per day for one state or one type of trigger. */
export interface MetricsSeries {
  /** The platform's constant, such as `COMPLETED`. */
  readonly name: string;
  readonly label: string;
  readonly counts: readonly number[];
}

/** The executions of a workflow for a chart on a page. */
export interface MetricsContent {
  /** The formatted days of the chart, oldest first. */
  readonly days: readonly string[];
  readonly byStatus: readonly MetricsSeries[];
  readonly byTriggerType: readonly MetricsSeries[];
  readonly figures: readonly { readonly label: string; readonly value: string }[];
  readonly versions: readonly string[];
  /** The trigger types of this platform. */
  readonly triggerTypes: readonly MetricsOption[];
  /** The users who have started the workflow. */
  readonly people: readonly MetricsOption[];
}

/** A value that metrics can be filtered by, with its label. */
interface MetricsOption {
  readonly value: string;
  readonly label: string;
}

/** The user's choices on the metrics page. */
export interface MetricsChoices {
  /** Number of days up to today. */
  readonly days: number;
  /** Empty for all versions. */
  readonly version: string;
  readonly by: "status" | "triggerType";
  /** Empty for all. */
  readonly statuses: readonly MetricsStatus[];
  /** Empty for all. */
  readonly triggerTypes: readonly string[];
  /** A user's id; empty for all users. */
  readonly startedBy: string;
  /** A day such as `2026-11-18`, at whose start the period ends; empty for now. */
  readonly finishedBefore: string;
}

/** The statuses that metrics can be filtered by (API description, 4.6). */
export const metricsStatuses = ["COMPLETED", "FAILED", "CANCELLED", "IN_PROGRESS"] as const;
export type MetricsStatus = (typeof metricsStatuses)[number];

export const usualChoices: MetricsChoices = {
  days: 28,
  version: "",
  by: "status",
  statuses: [],
  triggerTypes: [],
  startedBy: "",
  finishedBefore: "",
};

export const metricsRanges = [7, 28, 90] as const;
