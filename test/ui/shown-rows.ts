import type { View } from "../harness/workbench/side-bar.ts";
import { waitFor } from "../harness/workbench/waiting.ts";

/** Waits until a view shows exactly these rows. `isMeant` excludes rows that are not relevant. */
export async function waitForRows(
  view: View,
  labels: readonly string[],
  isMeant: (label: string) => boolean = () => true,
): Promise<void> {
  const shown = async (): Promise<string> => JSON.stringify((await view.tree.labels()).filter(isMeant));
  const wanted = JSON.stringify(labels);
  await waitFor(`the rows ${wanted} in ${view.title}`, async () => (await shown()) === wanted, { describe: shown });
}
