// A small extension that has one of everything that the page objects handle.
const vscode = require("vscode");

exports.activate = (context) => {
  const children = { "": ["Pome", "Stone fruit"], Pome: ["Apple", "Pear"], "Stone fruit": ["Plum"] };
  const tree = vscode.window.createTreeView("probe.tree", {
    treeDataProvider: {
      getChildren: (name = "") => children[name] ?? [],
      getTreeItem(name) {
        const item = new vscode.TreeItem(name, children[name] ? 1 : 0);
        item.description = children[name] ? `${children[name].length} kinds` : "ripe";
        item.contextValue = children[name] ? "family" : "fruit";
        item.tooltip = new vscode.MarkdownString(`**${name}** is a fruit`);
        return item;
      },
    },
  });
  const say = (text) => vscode.window.showInformationMessage(text);
  context.subscriptions.push(
    tree,
    vscode.window.createTreeView("probe.empty", { treeDataProvider: { getChildren: () => [], getTreeItem: (x) => x } }),
    vscode.commands.registerCommand("probe.inline", (name) => say(`Peeled ${name}`)),
    vscode.commands.registerCommand("probe.menu", async (name) => {
      const options = { modal: true, detail: "It can't be eaten afterwards." };
      const answer = await vscode.window.showWarningMessage(`Compost ${name}?`, options, "Compost");
      await say(answer === "Compost" ? `Composted ${name}` : `Kept ${name}`);
    }),
    vscode.commands.registerCommand("probe.refresh", () => {
      tree.message = "Refreshed";
    }),
    vscode.commands.registerCommand("probe.ask", async () => {
      const kind = await vscode.window.showQuickPick([{ label: "Apple", description: "red" }, { label: "Pear" }], {
        title: "Kind",
        placeHolder: "Which fruit",
      });
      if (kind === undefined) return;
      const count = await vscode.window.showInputBox({
        title: "Count",
        prompt: "How many",
        password: true,
        validateInput: (value) => (/^\d+$/.test(value) ? undefined : "Enter a number."),
      });
      const answer = await vscode.window.showInformationMessage(`${count} of ${kind.label}`, "Eat", "Throw Away");
      await say(`Chosen: ${answer}`);
    }),
  );
};
