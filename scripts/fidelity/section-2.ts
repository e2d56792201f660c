import { type FidelitySection, operation, rule, statement } from "./statement.ts";

const models = "src/api/catalogue/models";
const item = {
  code: [`${models}/contents.ts#contentItem`],
  reach: ["scheme:platform-contents", "operation:contents.get"],
  served: ["src/programs/sample-tenant/content-server/models.ts#baseModel", "operation:contents.get"],
};
const settings = {
  code: [`${models}/workspaces.ts#instanceSettings`],
  reach: ["operation:workspaces.settings.get"],
  served: ["operation:workspaces.settings.get"],
};
const rows = {
  code: ["src/api/families/workspaces.ts#computeTierLabel"],
  reach: ["view:workspaces"],
  served: ["operation:workspaces.get"],
};
const triggers = {
  code: [`${models}/workflows.ts#triggerBody`],
  reach: ["command:createTrigger", "operation:workflows.triggers.create"],
  served: ["operation:workflows.triggers.create"],
};
const repository = {
  code: [`${models}/sandbox.ts#repository`],
  reach: ["view:sandbox", "operation:sandbox.repositories.get"],
  served: ["operation:sandbox.repositories.get"],
};

/** Resources and their fields. */
export const section2: FidelitySection = {
  number: "2",
  title: "Resources and their fields",
  statements: [
    statement("2.1: an item has a name and a path from the workspace root", item),
    statement("2.1: times are ISO 8601 in UTC", item),
    statement("2.1: the content is null with content=0, and the body or the children with content=1", item),
    statement("2.1: the format is json, text, or null", item),
    statement("2.1: the media type may be null", item),
    statement("2.1: the size is a whole number, and `writable` is a Boolean", item),
    statement("2.1: hash and hash algorithm are strings or null", item),
    statement("2.1: the type is notebook, file, or directory", item),
    operation("contents.checkpoints.list", "2.2: a checkpoint has an ID and the time of its last change", {
      code: [`${models}/contents.ts#checkpoint`],
      reach: ["command:listCheckpoints"],
    }),
    rule("contents.create", "2.3: the Create body has the type and the parent directory, empty for the root", {
      code: [`${models}/contents.ts#createBody`],
    }),
    rule("contents.rename", "2.3: the Rename body has the new full path", {
      code: [`${models}/contents.ts#renameBody`],
      reach: ["scheme:platform-contents"],
    }),
    operation("contents.update", "2.3: the Update body has the type, the format, and the content", {
      code: [`${models}/contents.ts#updateBody`],
      reach: ["scheme:platform-contents"],
    }),
    rule("contents.update", "2.3: a notebook's content has cells, metadata, nbformat, and nbformat_minor", {
      code: [`${models}/contents.ts#notebookContent`],
      reach: ["scheme:platform-contents"],
    }),
    statement("2.4: instance types are objects with CPUs and GB of memory", settings),
    statement("2.4: limits, user access, and feature flags are objects of any content", {
      ...settings,
      served: ["src/programs/sample-tenant/described/platform.ts#describedResponse"],
    }),
    statement("2.4: `isEnabled` is a Boolean", settings),
    statement("2.4: the signed-in user's instance types are listed next to all of them", settings),
    statement("2.4: kernels are a list of descriptors", settings),
    statement("2.4: locale and time zone are strings, and maintenance is an object", settings),
    rule("workspaces.get", "2.5: a workspace has an ID, CPUs, and GB of memory", { reach: ["view:workspaces"] }),
    rule("workspaces.get", "2.5: the kernel code is PYTHON_ or R_ with its version, running or not", {
      code: ["src/api/families/workspaces.ts#kernelOf"],
      reach: ["view:workspaces"],
    }),
    rule("workspaces.get", "2.5: instance types have no name and no label", {
      code: [`${models}/workspaces.ts#workspace`],
    }),
    rule("workspaces.update", "2.5: input and output configuration are accepted in the update", {
      reach: ["command:editConfiguration"],
      served: ["src/programs/sample-tenant/described/platform.ts#describedResponse"],
    }),
    rule("workspaces.get", "2.5: other fields of a workspace are kept", {
      code: [`${models}/workspaces.ts#workspace`],
    }),
    statement("2.5: the compute tier is `<cpu> CPU / <memory> GB`, absent when either is missing", rows),
    statement("2.5: with a list of instance types, the tier is absent unless one of them is equal", {
      ...rows,
      code: ["src/api/families/workspaces.ts#computeTierLabel", "src/ui/resources/workspace-rows.ts#sizeOf"],
    }),
    statement("2.5: the Python version is the code's parts after the first underscore, joined with dots", {
      ...rows,
      code: ["src/api/families/workspaces.ts#pythonVersion"],
    }),
    statement("2.5: any other kernel, or none, has no Python version", {
      ...rows,
      code: ["src/api/families/workspaces.ts#pythonVersion"],
    }),
    rule("workspaces.namespace.get", "2.6: the namespace is an object with the segment of content-server paths", {
      code: [`${models}/workspaces.ts#userNamespace`],
    }),
    rule("designs.get", "2.7: the fields of a design depend on the requested parts", { reach: ["view:designs"] }),
    rule("designs.get", "2.7: a design has an ID, name, owners, creator, thumbnail, versions, and cards", {
      code: [`${models}/designs.ts#design`],
      reach: ["view:designs"],
    }),
    rule("designs.get", "2.7: an owner has a whole number as ID, and the role of the instance", {
      code: [`${models}/designs.ts#designOwner`],
      reach: ["view:designs"],
    }),
    rule("designs.get", "2.7: the owners are the whole access list of a design", {
      reach: ["command:addDesignAdmins"],
    }),
    rule("designs.versions.list", "2.7: a version has the version and the time of its creation", {
      code: [`${models}/designs.ts#designVersion`],
    }),
    statement("2.8: a trigger has a name, type, workflow, version, entity type, and entity ID", triggers),
    statement("2.8: a TIMER's entity type is USER", triggers),
    statement(
      "2.8: a TIMER's entity ID is the ID of the user who creates it, regardless of how the trigger is created",
      {
        ...triggers,
        code: [
          `${models}/workflows.ts#isTimerBody`,
          "src/api/client/client.ts#signedInUserId",
          "src/features/workflows/timer-user.ts#timerUser",
        ],
        open: {
          code: "The description has no operation that returns the signed-in user. If `users.me`, which public sources describe, is missing, the ID can't be checked: the user is chosen from the list of users.",
        },
      },
    ),
    statement("2.8: default values are an empty object by default", triggers),
    statement("2.8: the metadata's type equals the trigger's type", triggers),
    statement("2.8: a TIMER's metadata has a cron expression and a time zone", {
      ...triggers,
      code: [`${models}/workflows.ts#triggerBody`, "src/api/families/schedule.ts#readSchedule"],
    }),
    operation("workflows.triggers.delete", "2.8: a deleted trigger keeps the time of its deletion", {
      code: ["src/api/families/workflows.ts#isDeleted"],
      reach: ["view:workflows"],
    }),
    rule("workflows.versions.createFirst", "2.9: a first version is two strings: the saved JSON and the version", {
      code: [`${models}/workflows.ts#firstVersionBody`],
      reach: ["command:createWorkflowVersion"],
    }),
    statement("2.10: a repository has an ID, a name, and the time of its last update", repository),
    statement("2.10: a repository has the time and the version of its last commit", repository),
    statement("2.10: a repository has lists of page, card, dataflow, and view IDs", {
      ...repository,
      code: [`${models}/sandbox.ts#repository`, "src/api/families/repository-content.ts#repositoryContentItems"],
    }),
    rule("sandbox.repositories.commitRequests.create", "2.10: a commit has a summary, and is not hidden by default", {
      code: ["src/api/families/sandbox.ts#commitCreateBody"],
      reach: ["command:createCommit"],
    }),
    rule("sandbox.repositories.commitRequests.create", "2.10: a new event ID is added to a commit from typed input", {
      code: ["src/api/families/sandbox.ts#commitCreateBody"],
      reach: ["command:createCommit"],
    }),
    rule("sandbox.repositories.commitRequests.create", "2.10: a raw commit is sent unchanged", {
      code: [`${models}/sandbox.ts#commitCreate`],
    }),
    operation(
      "sandbox.promotions.promoteAndSeed",
      "2.10: a promotion names its deployment in the path, its commit, and a mapping",
      { code: ["src/api/families/sandbox.ts#promoteAndSeedBody"], reach: ["command:promoteAndSeed"] },
    ),
    rule(
      "sandbox.promotions.promoteAndSeed",
      "2.10: the name of the seeded repository and the approval ID are optional",
      { code: ["src/api/families/sandbox.ts#promoteAndSeedBody"] },
    ),
    rule(
      "sandbox.promotions.promoteAndSeed",
      "2.10: a promotion from typed input gets an event ID, and a raw one is sent unchanged",
      { code: [`${models}/sandbox.ts#promoteAndSeedRequest`] },
    ),
    rule(
      "sandbox.repositories.permissions.update",
      "2.10: a permission is for a user or a group, and the other ID is an empty string",
      { code: ["src/api/families/sandbox.ts#permissionUpdateFor"], reach: ["command:changeRepositoryPermission"] },
    ),
    operation("sandbox.aliases.update", "2.10: an alias update has the aliased domain and the alias", {
      code: [`${models}/sandbox.ts#aliasUpdate`],
      reach: ["command:changeInstanceAlias"],
    }),
    rule(
      "sandbox.promotions.search",
      "2.10: a search has filters and date filters, and is sorted by completion, newest first",
      { code: [`${models}/sandbox.ts#historySearch`], reach: ["command:searchPromotions"] },
    ),
    statement("2.11: each read of section 4.7 has a typed model", {
      code: [`${models}/data.ts#account`, `${models}/instance.ts#codeEnginePackage`],
      reach: ["command:runOperation"],
      served: ["operation:accounts.list"],
    }),
    rule("filesets.get", "2.11: strings of a fileset may be null", { code: [`${models}/data.ts#fileset`] }),
    statement("2.11: nothing is required of a response that the description doesn't show", {
      code: ["src/api/client/response-reader.ts#readResponse"],
      reach: ["command:runOperation"],
      served: ["operation:workflows.executions.get"],
    }),
    statement("2.11: a list is found in a container that the description doesn't show", {
      code: ["src/api/client/contained-list.ts#containedList", "src/api/families/wrapped-list.ts#listWithin"],
      reach: ["command:runOperation", "view:workflows"],
      served: ["operation:workflows.list"],
    }),
    statement("2.11: undescribed fields of responses are kept", {
      code: ["src/api/client/response-reader.ts#readResponse"],
      reach: ["command:runOperation"],
      served: ["operation:workflows.executions.get"],
    }),
  ],
};
