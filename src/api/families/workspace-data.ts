import * as z from "zod/mini";

const dataset = { dataSourceId: z.nullish(z.union([z.string(), z.number()])) };

/**
 * Data that notebooks read or write by an alias: a list, or an object with the aliases as keys. The API description does
 * not specify more.
 */
const boundData = z.array(z.looseObject({ alias: z.nullish(z.string()), ...dataset }));
const dataByAlias = z.record(z.string(), z.looseObject(dataset));

/** A dataset of a workspace by its alias; without an id if it isn't bound yet. */
export interface WorkspaceDataset {
  readonly alias: string;
  readonly datasetId: string | undefined;
}

/** The datasets in the input or output configuration of a workspace. */
export function workspaceDatasets(configuration: unknown): readonly WorkspaceDataset[] {
  const { data: byAlias = {} } = z.safeParse(dataByAlias, configuration);
  const listed = Object.entries(byAlias).map(([alias, bound]) => ({ ...bound, alias }));
  const { data: bound = listed } = z.safeParse(boundData, configuration);
  return bound.map(({ alias, dataSourceId }) => ({
    alias: alias ?? "",
    datasetId: dataSourceId === null || dataSourceId === undefined ? undefined : String(dataSourceId),
  }));
}
