import { type CommandDeclarations, onRow, row, treeDeclarations, whileVisible } from "../../ui/commands/declaration.ts";

const onVersion = onRow("functions", "packageVersion");
const onFunction = onRow("functions", "packageFunction");

export const codeEngineDeclarations = {
  ...treeDeclarations("Functions", { many: "Code Engine Packages", one: "Code Engine Package" }),
  "platformWorkbench.runFunction": {
    title: "Run Code Engine Function…",
    icon: "$(play)",
    inPalette: true,
    menus: [row("inline@1", onFunction), row("1_open@2", onFunction)],
  },
  "platformWorkbench.openFunctionSource": {
    title: "Open Code Engine Source",
    icon: "$(go-to-file)",
    inPalette: whileVisible("functions"),
    menus: [row("inline@1", onVersion), row("1_open@1", onVersion), row("1_open@1", onFunction)],
  },
} as const satisfies CommandDeclarations;

export type CodeEngineCommandId = keyof typeof codeEngineDeclarations;
