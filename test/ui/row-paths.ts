/** The labels of rows from the top level down. */
type Path = readonly [string | RegExp, ...(string | RegExp)[]];

/**
 * By view: the kinds of its rows, and the path to one of each kind. A kind has the marks of rows with details and a web
 * page.
 */
export const rowPaths: Readonly<Record<string, Readonly<Record<string, Path>>>> = {
  Workspaces: {
    "workspace.running;id;details;link;page": [/^Sales forecasting/],
    "workspace.stopped;id;details;link;page": [/^Customer churn/],
  },
  "App Designs": {
    "design;id;details;link;page": ["Order board"],
    designOwners: ["Order board", "Admins"],
    designVersions: ["Order board", "Versions"],
    "designVersion.released;id;details;link": ["Order board", "Versions", "v1.3.0"],
  },
  Pages: {
    "page.open;id;details;link;page": ["Sales"],
    pageCollections: ["Sales", "Collections"],
    pageFilterViews: ["Sales", "Filter Views"],
    "filterView;id;details;link": ["Sales", "Filter Views", "Sales: north only"],
    "collection;id;details;link": ["Sales", "Sales EMEA", "Collections", "Quarterly review"],
  },
  Sandbox: {
    "repository.own.unpinned;id;details;link;page": ["Sales pages"],
    "repositoryPart.commits": ["Sales pages", "Commits"],
    "commit.completed;id;details;link": ["Sales pages", "Commits", /^v1$/],
    "deployment;id;details;link": ["Sales pages", "Deployments", /./],
    "repositoryPart.access": ["Sales pages", "Instances with Access"],
    "repositoryPart.permissions": ["Sales pages", "People and Groups"],
    repositoryPermission: ["Sales pages", "People and Groups", "Ada Example"],
    "repository.shared;id;details;link;page": ["Shared by Other Instances", "Partner overview"],
  },
  Workflows: {
    "workflow;id;details;link": [/^Weekly sales mail/],
    "workflowGroup.versions": [/^Weekly sales mail/, "Versions"],
    "workflowVersion.active;id;details;link;page": [/^Weekly sales mail/, "Versions", "v1.2.0"],
    "workflowVersion.draft;id;details;link;page": [/^Weekly sales mail/, "Versions", "v1.3.0"],
    workflowDefinition: [/^Weekly sales mail/, "Versions", "v1.2.0", "Definition"],
    workflowForm: [/^Weekly sales mail/, "Versions", "v1.2.0", "Start Form"],
    "workflowGroup.executions": [/^Weekly sales mail/, "Executions"],
    "workflowGroup.triggers": [/^Weekly sales mail/, "Triggers"],
    "trigger.active;id;details;link;page": [/^Weekly sales mail/, "Triggers", "Regular run"],
    usedFunction: [/^Weekly sales mail/, "Usage", "Mail tools"],
    "execution.ended;id;details;link": [/^Weekly sales mail/, "Executions", "Completed"],
  },
  "Code Engine": {
    "functionPackage;id;details;link;page": [/^Exchange rates/],
    "packageVersion;id;details;link": [/^Exchange rates/, "v1.0.0"],
    packageFunction: [/^Exchange rates/, "v1.0.0", /^run/],
  },
  "App Studio": {
    "studioApp;id;details;link;page": ["Sales cockpit"],
  },
};
