// Messages between the extension and the page of the data explorer. Both sides check what they receive.
import * as z from "zod/mini";
import { columnSummary, framePage, frameView, fullCell, openedFrame } from "../../api/companion/operations/frames.ts";

const count = z.int().check(z.nonnegative());
const sentence = z.string().check(z.maxLength(2000));

/** What a tab shows: the value of an expression in the kernel of a notebook, or a file of a workspace. */
export const frameSubject = z.union([
  z.object({
    type: z.literal("expression"),
    tenantId: z.string(),
    workspaceId: z.string(),
    /** The notebook's URI. */
    notebook: z.string(),
    expression: z.string().check(z.minLength(1), z.maxLength(10_000)),
  }),
  z.object({ type: z.literal("file"), tenantId: z.string(), workspaceId: z.string(), path: z.string() }),
]);
export type FrameSubject = z.output<typeof frameSubject>;

/** Rows from `start` to `stop`, and columns from `firstColumn` to `lastColumn`, both without the last. */
const part = { start: count, stop: count, firstColumn: count, lastColumn: count };
const id = count;
/** What can be done with a file or a variable that can't be shown. */
const sourceAction = z.enum(["copyCode", "download", "openText", "openNotebook"]);
export type SourceAction = z.output<typeof sourceAction>;

/** A request, and the view whose rows are meant. */
const shown = { id, view: frameView };

/** From the page. Each with an id gets one reply with it. */
export const pageMessage = z.discriminatedUnion("type", [
  z.object({ type: z.literal("open"), view: frameView }),
  z.object({ type: z.literal("view"), ...shown }),
  z.object({ type: z.literal("page"), ...shown, ...part }),
  z.object({ type: z.literal("summary"), ...shown, column: count }),
  z.object({ type: z.literal("cell"), ...shown, row: count, column: count }),
  z.object({ type: z.literal("copyCell"), ...shown, row: count, column: count }),
  z.object({ type: z.literal("copyRows"), ...shown, ...part }),
  z.object({ type: z.literal("copyCode"), ...shown }),
  z.object({ type: z.literal("cancel"), id }),
  /** Connects now. */
  z.object({ type: z.literal("connect") }),
  z.object({ type: z.literal("sourceAction"), action: sourceAction }),
]);
export type PageMessage = z.output<typeof pageMessage>;

/** A message of the page that gets a reply. */
export type PageRequest = Exclude<Extract<PageMessage, { readonly id: number }>, { readonly type: "cancel" }>;

/** From the extension. */
export const panelMessage = z.discriminatedUnion("type", [
  z.object({ type: z.literal("opening") }),
  /** With the view that is shown, which is another one than before if the frame no longer has its columns. */
  z.object({ type: z.literal("opened"), frame: openedFrame, view: frameView }),
  /** Nothing can be shown. */
  z.object({
    type: z.literal("failed"),
    text: sentence,
    actions: z.array(z.object({ action: sourceAction, title: sentence })),
  }),
  /** The data may have changed since it was read. */
  z.object({ type: z.literal("outdated") }),
  /** What is shown stays, but more can't be read until the connection is back. */
  z.object({ type: z.literal("connection"), isLost: z.boolean() }),
  z.object({ type: z.literal("view"), id, shown: count }),
  z.object({ type: z.literal("page"), id, page: framePage }),
  z.object({ type: z.literal("summary"), id, summary: columnSummary }),
  z.object({ type: z.literal("cell"), id, cell: fullCell }),
  z.object({ type: z.literal("copied"), id }),
  z.object({ type: z.literal("error"), id, text: sentence }),
]);
export type PanelMessage = z.output<typeof panelMessage>;

/** Texts of the page; it replaces `{0}` and `{1}`. */
export interface ExplorerTexts {
  readonly title: string;
  readonly loading: string;
  readonly retry: string;
  readonly refresh: string;
  readonly outdated: string;
  readonly connectionLost: string;
  readonly search: string;
  readonly rows: string;
  readonly shownRows: string;
  readonly firstRows: string;
  readonly hiddenColumns: string;
  readonly clearView: string;
  readonly copyCsv: string;
  readonly copyCode: string;
  readonly copied: string;
  readonly noRows: string;
  readonly close: string;
  readonly cell: string;
  readonly cutCell: string;
  readonly sortAscending: string;
  readonly sortDescending: string;
  readonly removeSort: string;
  readonly filter: string;
  readonly apply: string;
  readonly contains: string;
  readonly equals: string;
  readonly between: string;
  readonly low: string;
  readonly high: string;
  readonly value: string;
  readonly missing: string;
  readonly present: string;
  readonly removeFilter: string;
  readonly type: string;
  readonly missingValues: string;
  readonly distinct: string;
  readonly lowest: string;
  readonly highest: string;
  readonly mean: string;
  readonly top: string;
  readonly histogram: string;
  readonly sample: string;
  readonly help: string;
  readonly filteredBy: string;
  readonly index: string;
}

/** The initial data of the page. `locale` formats its numbers. */
export interface ExplorerStart {
  readonly subject: FrameSubject;
  readonly locale: string;
  readonly texts: ExplorerTexts;
}

/** What the page saves, so that it survives hiding and reloading. */
export const explorerState = z.object({
  subject: frameSubject,
  view: frameView,
  /** The first visible row and column. */
  row: count,
  column: count,
});
export type ExplorerState = z.output<typeof explorerState>;
