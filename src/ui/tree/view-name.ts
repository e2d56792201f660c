export const viewNames = ["workspaces", "designs", "pages", "sandbox", "workflows"] as const;

/** The views of the Platform container; each one's id is `platformWorkbench.<name>`. */
export type ViewName = (typeof viewNames)[number];

export const viewId = (name: ViewName): string => `platformWorkbench.${name}`;
