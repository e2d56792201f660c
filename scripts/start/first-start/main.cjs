// The editor opens a walkthrough when its extension is installed. `npm start` links the extension as if it were installed
// already, so this opens the walkthrough at the first start of a data directory.
const { access, mkdir, writeFile } = require("node:fs/promises");
const { join } = require("node:path");
const vscode = require("vscode");

exports.activate = async ({ globalStorageUri, workspaceState, subscriptions }) => {
  subscriptions.push(vscode.window.tabGroups.onDidChangeTabs(() => makeRoomForPictures(workspaceState)));
  // A file, because the global state of a browser-hosted editor is in the browser, separate for each port.
  const directory = globalStorageUri.fsPath;
  const opened = join(directory, "opened");
  const isFirstStart = await access(opened).then(
    () => false,
    () => true,
  );
  if (isFirstStart) {
    await run("platformWorkbench.workspaces.focus");
    await run("workbench.action.openWalkthrough", "platform-workbench.platform-workbench#firstSteps", false);
    await mkdir(directory, { recursive: true });
    await writeFile(opened, "");
  }
  // The editor itself opens the walkthrough again in the window of a workspace that is opened from it.
  await makeRoomForPictures(workspaceState);
};

/**
 * In a window of 1280 pixels, the editor leaves out the pictures of a walkthrough unless the bars beside it are narrower
 * than by default. Changes the layout once for each workspace.
 */
async function makeRoomForPictures(workspaceState) {
  const tab = vscode.window.tabGroups.activeTabGroup.activeTab;
  // A walkthrough is an editor that extensions know nothing about.
  if (tab === undefined || tab.input !== undefined || workspaceState.get("hasRoom")) return;
  await workspaceState.update("hasRoom", true);
  await run("workbench.action.closeAuxiliaryBar");
  await run("workbench.action.increaseViewWidth");
}

function run(...command) {
  return vscode.commands.executeCommand(...command);
}
