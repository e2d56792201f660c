import type { Notification } from "../harness/workbench/notifications.ts";
import type { Workbench } from "../harness/workbench/workbench.ts";

/**
 * Chooses what a message offers for a save that conflicts with the server's version. Usually, the editor asks for the
 * file's version before it saves, and its own message has buttons. If the version is known from the last 200 ms, as only
 * a test is fast enough, the save itself finds the conflict: our message has links, and asks before it overwrites.
 */
export async function resolveConflict(
  { dialog }: Workbench,
  message: Notification,
  choice: "Compare" | "Overwrite",
): Promise<void> {
  if (!(await message.text()).includes("Can't save")) {
    await message.click(choice);
    return;
  }
  await message.clickLink(choice);
  if (choice === "Overwrite") await dialog.click("Overwrite");
}
