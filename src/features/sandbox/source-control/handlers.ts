import * as vscode from "vscode";
import type { PlatformClient } from "../../../api/client/client.ts";
import { commitRepository } from "../../../api/families/sandbox.ts";
import type { CommandHandlers, CommandRun } from "../../../ui/commands/command-runner.ts";
import { chooseResource, namedResource, type ResourceChoiceParts } from "../../../ui/quick-input/choose-resource.ts";
import { pickItem } from "../../../ui/quick-input/show-input.ts";
import { type PlatformResource, resourceKey } from "../../../ui/resources/resource.ts";
import { reportCommit } from "../completion.ts";
import { historyUri } from "../history-document.ts";
import type { SourceControlCommandId } from "./declarations.ts";
import type { PinnedRepositories } from "./pinned-repositories.ts";
import type { RepositorySourceControl } from "./repository-source-control.ts";

type Pinned = Pick<PinnedRepositories, "all" | "pin" | "unpin">;
type Entry = Pick<RepositorySourceControl, "repository" | "summary" | "refresh">;

export interface SourceControlCommandParts extends ResourceChoiceParts {
  readonly pinned: Pinned;
  /** Shows the entries on the first call. */
  readonly controls: () => Promise<{ readonly all: readonly Entry[]; find(argument: unknown): Entry | undefined }>;
}

/** The commands of repositories in Source Control. */
export function sourceControlCommands(parts: SourceControlCommandParts): CommandHandlers<SourceControlCommandId> {
  const { pinned } = parts;
  const choose = async (run: CommandRun, argument: unknown, title: string): Promise<PlatformResource> => {
    const control = (await parts.controls()).find(argument);
    return chooseResource(parts, run, control?.repository ?? argument, { type: "repository", title });
  };
  return {
    "platformWorkbench.pinRepository": async (run, argument) => {
      const repository = await choose(run, argument, vscode.l10n.t("Pin Repository to Source Control"));
      await pinned.pin(repository);
      await vscode.commands.executeCommand("workbench.view.scm");
    },
    "platformWorkbench.unpinRepository": async (run, argument) => {
      const named = (await parts.controls()).find(argument)?.repository ?? namedResource(argument);
      await pinned.unpin(named ?? (await pickPinned(pinned)));
      run.setErrorContext({});
    },
    "platformWorkbench.refreshPinned": async (_, argument) => {
      const controls = await parts.controls();
      const one = controls.find(argument);
      await Promise.all((one === undefined ? controls.all : [one]).map((control) => control.refresh()));
    },
    "platformWorkbench.showRepositoryHistory": async (run, argument) => {
      const { tenantId, name } = await choose(run, argument, vscode.l10n.t("Show Repository History"));
      const uri = historyUri(tenantId, {
        kind: "commitRequests",
        filters: { repositoryName: [name] },
        dates: {},
        sort: "completed",
        order: "desc",
      });
      await vscode.commands.executeCommand("markdown.showPreview", uri);
    },
    "platformWorkbench.commitPinned": async (run, argument) => {
      const controls = await parts.controls();
      const named = namedResource(argument);
      const control =
        controls.find(argument) ??
        controls.all.find(({ repository }) => named !== undefined && resourceKey(repository) === resourceKey(named));
      if (control !== undefined) {
        run.setErrorContext({ tenantId: control.repository.tenantId });
        await commit(parts, control);
      }
    },
  };
}

/** The summary stays in the input box until the platform has accepted it. */
async function commit({ connections }: SourceControlCommandParts, control: Entry): Promise<void> {
  const summary = control.summary.trim();
  const { tenantId, id, name } = control.repository;
  if (summary === "") {
    throw new Error(vscode.l10n.t("Can't commit to {0} without a summary. Enter one in the box above the list.", name));
  }
  const client = await connections.platform(tenantId);
  const request = await commitRepository(client, id, { summary });
  control.summary = "";
  const onEnded = (): Promise<void> => control.refresh();
  const connect = (): Promise<PlatformClient> => connections.platform(tenantId);
  void reportCommit({ connect, tenantId, repositoryId: id, name, onEnded }, request);
  await control.refresh();
}

async function pickPinned(pinned: Pinned): Promise<PlatformResource> {
  const { all } = pinned;
  if (all.length === 0) {
    throw new Error(vscode.l10n.t("No repository is pinned to Source Control."));
  }
  const { repository } = await pickItem(
    all.map((repository) => ({ label: repository.name, iconPath: new vscode.ThemeIcon("repo"), repository })),
    { title: vscode.l10n.t("Unpin Repository from Source Control") },
  );
  return repository;
}
