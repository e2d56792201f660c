/** What the extension and the pages in its webviews tell each other; everything here is plain data. */

/** What a panel is about. */
export type PanelSubject = {
  readonly tenantId: string;
  readonly modelId: string;
  /** The workflow's name. */
  readonly name: string;
} & ({ readonly kind: "workflowDefinition"; readonly version: string } | { readonly kind: "workflowMetrics" });

export interface DrawnStep {
  readonly id: string;
  readonly title: string;
  readonly kind: string;
  readonly role: "start" | "end" | "step";
  readonly description: string;
  /** The function that it calls, in words; empty for none. */
  readonly calls: string;
  /** Upper left corner and size, in the drawing's units. */
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

/** A version's definition as a page draws it. */
export interface DefinitionContent {
  readonly kind: "workflowDefinition";
  readonly width: number;
  readonly height: number;
  readonly steps: readonly DrawnStep[];
  readonly connections: readonly DrawnConnection[];
  /** False where the lines only follow the order of the steps. */
  readonly hasOwnConnections: boolean;
  readonly parameters: readonly { readonly name: string; readonly type: string; readonly isList: boolean }[];
  /** When it was read, as people read it. */
  readonly readAt: string;
}

/** Counts per day of one state or one type of trigger. */
export interface MetricsSeries {
  /** The platform's word, as `COMPLETED`. */
  readonly name: string;
  readonly label: string;
  readonly counts: readonly number[];
}

/** The executions of a workflow as a page charts them. */
export interface MetricsContent {
  readonly kind: "workflowMetrics";
  /** The days of the chart from the oldest on, as people read them. */
  readonly days: readonly string[];
  readonly byStatus: readonly MetricsSeries[];
  readonly byTriggerType: readonly MetricsSeries[];
  readonly figures: readonly { readonly label: string; readonly value: string }[];
  readonly versions: readonly string[];
  readonly readAt: string;
}

export type PanelContent = DefinitionContent | MetricsContent;

/** What a person has chosen in the page of metrics. */
export interface MetricsChoices {
  /** Days that are shown until now. */
  readonly days: number;
  /** Empty for all versions. */
  readonly version: string;
  readonly by: "status" | "triggerType";
}

export const usualChoices: MetricsChoices = { days: 28, version: "", by: "status" };

export const metricsRanges = [7, 28, 90] as const;

/** From a page to the extension. */
export type PageMessage =
  | { readonly type: "read"; readonly choices?: MetricsChoices }
  | { readonly type: "showJson" }
  | { readonly type: "showDetails" };

/** From the extension to a page. */
export type PanelMessage =
  | { readonly type: "loading" }
  | { readonly type: "content"; readonly content: PanelContent }
  | { readonly type: "failed"; readonly text: string };

/** What a page starts with. */
export interface PageStart<Texts> {
  readonly subject: PanelSubject;
  readonly texts: Texts;
}
