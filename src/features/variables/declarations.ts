import { type CommandDeclarations, onOurKernel, row, title } from "../../ui/commands/declaration.ts";

const view = "view == platformWorkbench.variables";
/** Unlike the other views, it isn't there before a notebook was opened. */
const visible = "view.platformWorkbench.variables.visible && platformWorkbench.variablesKnown";
const filtered = "platformWorkbench.variablesFiltered";
const withAll = "platformWorkbench.variablesAll";
/** The rows of variables, and of what is below them. */
const onVariable = `${view} && viewItem =~ /^variable/`;
/** True if a key is for the rows. */
const listFocused =
  "focusedView == platformWorkbench.variables && listFocus && !inputFocus && !treestickyScrollFocused";

/**
 * The rows of variables have the context value `variable`, and those below them `variableMember`. Marks follow: `;frame`
 * for a data frame, `;expression` for a value that an expression gives, and `;setter` if the cell that set it is known.
 */
export const variablesDeclarations = {
  "platformWorkbench.showVariables": {
    title: "Show Variables",
    icon: "$(variable-group)",
    inPalette: onOurKernel,
    menus: [{ menu: "notebook/toolbar", when: onOurKernel, group: "navigation/execute@8" }],
  },
  "platformWorkbench.filterVariables": {
    title: "Filter Variables…",
    icon: "$(filter)",
    inPalette: visible,
    menus: [title("navigation@1", `${view} && !${filtered}`)],
  },
  "platformWorkbench.changeVariablesFilter": {
    title: "Change Variable Filter…",
    icon: "$(filter-filled)",
    inPalette: false,
    menus: [title("navigation@1", `${view} && ${filtered}`)],
  },
  "platformWorkbench.clearVariablesFilter": {
    title: "Clear Variable Filter",
    icon: "$(clear-all)",
    inPalette: filtered,
    menus: [title("navigation@2", `${view} && ${filtered}`)],
  },
  "platformWorkbench.sortVariables": {
    title: "Sort Variables…",
    icon: "$(list-ordered)",
    inPalette: visible,
    menus: [title("navigation@3", view)],
  },
  "platformWorkbench.refreshVariables": {
    title: "Refresh Variables",
    icon: "$(refresh)",
    inPalette: visible,
    menus: [title("navigation@4", view)],
  },
  "platformWorkbench.showAllVariables": {
    title: "Show Modules, Functions, Classes, and Private Names",
    inPalette: false,
    menus: [title("1_shown@1", `${view} && !${withAll}`)],
  },
  "platformWorkbench.hideOtherVariables": {
    title: "Hide Modules, Functions, Classes, and Private Names",
    inPalette: false,
    menus: [title("1_shown@1", `${view} && ${withAll}`)],
  },
  "platformWorkbench.openVariableInDataExplorer": {
    title: "Open Variable in Data Explorer",
    icon: "$(table)",
    inPalette: false,
    menus: [
      row("inline@1", `${view} && viewItem =~ /;frame\\b/`),
      row("1_open@1", `${view} && viewItem =~ /;frame\\b/`),
    ],
  },
  "platformWorkbench.goToSettingCell": {
    title: "Go to the Cell That Set It",
    icon: "$(go-to-file)",
    inPalette: false,
    menus: [
      row("inline@2", `${view} && viewItem =~ /;setter\\b/`),
      row("1_open@2", `${view} && viewItem =~ /;setter\\b/`),
    ],
  },
  "platformWorkbench.copyVariableValue": {
    title: "Copy Value",
    icon: "$(copy)",
    inPalette: false,
    menus: [row("inline@3", onVariable), row("5_copy@1", onVariable)],
    keys: [{ key: "ctrl+c", mac: "cmd+c", when: listFocused }],
  },
  "platformWorkbench.copyVariableExpression": {
    title: "Copy Expression",
    inPalette: false,
    menus: [row("5_copy@2", `${view} && viewItem =~ /;expression\\b/`)],
  },
  "platformWorkbench.deleteVariables": {
    title: "Delete Variable…",
    inPalette: false,
    menus: [row("7_delete@1", `${view} && viewItem =~ /^variable\\b/`)],
    keys: [{ key: "delete", mac: "cmd+backspace", when: listFocused }],
  },
  "platformWorkbench.loadMoreVariables": { title: "Load More Variables", inPalette: false },
  "platformWorkbench.startKernelForVariables": { title: "Start Kernel for Variables", inPalette: false },
} as const satisfies CommandDeclarations;

export type VariablesCommandId = keyof typeof variablesDeclarations;
