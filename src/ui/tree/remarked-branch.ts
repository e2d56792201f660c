import { type Branch, type BranchPage, type PageRequest, singlePageBranch } from "./definition.ts";

/** A list that the platform returns in one response, with a remark below its rows if the response needs one. */
export function remarkedBranch<Row>({
  read,
  ...list
}: {
  readonly key: string;
  readonly things: string;
  readonly empty: string;
  readonly read: (request: PageRequest) => Promise<Pick<BranchPage<Row>, "rows" | "remark">>;
}): Branch<Row> {
  return {
    ...singlePageBranch<Row>({ ...list, read: async () => [] }),
    read: async (request) => ({ ...(await read(request)), hasMore: false }),
  };
}
