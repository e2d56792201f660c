import * as vscode from "vscode";
import { commitStatuses } from "../../api/catalogue/models/known-values.ts";
import { searchRepositories } from "../../api/catalogue/operations/sandbox.ts";
import type { PlatformClient } from "../../api/client/client.ts";
import { isMissingOperation } from "../../api/client/missing-operation.ts";
import { allUsers, type Principal } from "../../api/families/people.ts";
import { allRepositories } from "../../api/families/sandbox.ts";
import type { CommandRun } from "../../ui/commands/command-runner.ts";
import { sentenceWords } from "../../ui/format/labels.ts";
import { currentTenant, namedResource, type ResourceChoiceParts } from "../../ui/quick-input/choose-resource.ts";
import { pickPeople } from "../../ui/quick-input/people-picker.ts";
import { askPeriod, periodText } from "../../ui/quick-input/period-input.ts";
import { enterText, pickItems, pickRow, unlessCanceled } from "../../ui/quick-input/show-input.ts";
import type { Period } from "../../ui/quick-input/typed-dates.ts";
import { filterWord, historyUri, sortText } from "./history-document.ts";
import { type HistoryDate, type HistoryKind, type HistorySort, historyDates, historySorts } from "./history-search.ts";

interface FilterItem extends vscode.QuickPickItem {
  readonly filter: "show" | "repositoryName" | "commitName" | "status" | "userId" | "sort" | HistoryDate;
}

interface Filters {
  readonly repositoryName: readonly string[];
  readonly commitName: readonly string[];
  readonly status: readonly string[];
  readonly userId: readonly Principal[];
  readonly dates: Readonly<Record<HistoryDate, Period>>;
  readonly sort: HistorySort;
  readonly order: "asc" | "desc";
}

/** Asks for filters in a form whose first line shows the number of results. Opens the results as a document. */
export async function searchHistory(
  { registry, connections }: ResourceChoiceParts,
  run: CommandRun,
  argument: unknown,
  kind: HistoryKind,
): Promise<void> {
  const named = namedResource(argument);
  const tenantId = named?.tenantId ?? currentTenant(registry).id;
  run.setErrorContext({ tenantId });
  const client = await connections.platform(tenantId);
  const action = kind === "promotions" ? vscode.l10n.t("Search Promotions") : vscode.l10n.t("Search Commit Requests");
  const title = `${action} · ${connections.tenant(tenantId).label}`;
  let filters: Filters = {
    repositoryName: named?.type === "repository" ? [named.name] : [],
    commitName: [],
    status: [],
    userId: [],
    dates: { started: {}, completed: {} },
    sort: "completed",
    order: "desc",
  };
  for (;;) {
    const chosen = await pickRow(formItems(kind, filters), {
      title,
      placeHolder: vscode.l10n.t("Choose a filter to change it"),
    });
    switch (chosen.filter) {
      case "show": {
        const { dates, sort, order, userId, ...names } = filters;
        const wanted = { ...names, userId: userId.map(({ id }) => id) };
        const uri = historyUri(tenantId, { kind, filters: wanted, dates, sort, order });
        await vscode.commands.executeCommand("markdown.showPreview", uri);
        return;
      }
      case "status":
        filters = { ...filters, status: await askStatuses(title, filters.status) };
        break;
      case "userId": {
        const people = pickPeople({
          title,
          placeholder: vscode.l10n.t("Who started the promotion"),
          list: (signal) => allUsers(client, { signal }),
        });
        filters = { ...filters, userId: (await unlessCanceled(people)) ?? filters.userId };
        break;
      }
      case "started":
      case "completed": {
        const name = chosen.filter;
        const period = await askPeriod(`${title} · ${filterWord(name)}`, filters.dates[name]);
        filters = { ...filters, dates: { ...filters.dates, [name]: period } };
        break;
      }
      case "sort":
        filters = { ...filters, ...(await askSort(title, filters)) };
        break;
      case "repositoryName":
        filters = { ...filters, repositoryName: await askRepositories(client, title, filters.repositoryName) };
        break;
      case "commitName":
        filters = { ...filters, commitName: await askNames(title, "commitName", filters.commitName) };
    }
  }
}

function formItems(kind: HistoryKind, filters: Filters): readonly FilterItem[] {
  const any = vscode.l10n.t("any");
  const line = (filter: FilterItem["filter"], label: string, values: readonly string[]): FilterItem => ({
    label,
    description: values.length === 0 ? any : values.join(", "),
    filter,
  });
  return [
    { label: vscode.l10n.t("Show Results"), iconPath: new vscode.ThemeIcon("search"), filter: "show" },
    line("repositoryName", vscode.l10n.t("Repository"), filters.repositoryName),
    line("commitName", vscode.l10n.t("Commit"), filters.commitName),
    line(
      "status",
      vscode.l10n.t("State"),
      filters.status.map((one) => sentenceWords(one, vscode.l10n.t)),
    ),
    ...(kind === "promotions"
      ? [
          line(
            "userId",
            vscode.l10n.t("Started by"),
            filters.userId.map(({ name }) => name),
          ),
        ]
      : []),
    ...historyDates.map(
      (name): FilterItem => ({ label: filterWord(name), description: periodText(filters.dates[name]), filter: name }),
    ),
    { label: vscode.l10n.t("Sort By"), description: sortText(filters.sort, filters.order), filter: "sort" },
  ];
}

/** Asks for a column and its direction in one list. Canceling returns to the form. */
async function askSort(title: string, before: Filters): Promise<Pick<Filters, "sort" | "order">> {
  const items = historySorts.flatMap((sort) =>
    (["desc", "asc"] as const).map((order) => ({ label: sortText(sort, order), sort, order })),
  );
  const placeHolder = sortText(before.sort, before.order);
  const { sort, order } = (await unlessCanceled(pickRow(items, { title, placeHolder }))) ?? before;
  return { sort, order };
}

/** Canceling returns to the form. */
async function askStatuses(title: string, before: readonly string[]): Promise<readonly string[]> {
  const items = commitStatuses.map((status) => ({
    label: sentenceWords(status, vscode.l10n.t),
    status,
    picked: before.includes(status),
  }));
  const placeHolder = vscode.l10n.t("Select states. Select none for all states.");
  const chosen = await unlessCanceled(pickItems(items, { title, placeHolder }));
  return chosen?.map(({ status }) => status) ?? before;
}

/** Maximum number of listed repositories. Others can be entered. */
const maxRepositories = 1000;

/** Asks for repositories by name, even if the platform doesn't list them. Canceling returns to the form. */
async function askRepositories(
  client: PlatformClient,
  title: string,
  before: readonly string[],
): Promise<readonly string[]> {
  const other = { label: vscode.l10n.t("Enter Names…"), iconPath: new vscode.ThemeIcon("edit") };
  const items = repositoryNames(client).then((names) => [
    ...[...new Set([...before, ...names])].map((label) => ({
      label,
      iconPath: new vscode.ThemeIcon("repo"),
      picked: before.includes(label),
    })),
    other,
  ]);
  const placeHolder = vscode.l10n.t("Select repositories. Select none for all repositories.");
  try {
    const chosen = await unlessCanceled(pickItems(items, { title, placeHolder }));
    const names = chosen?.flatMap(({ label }) => (label === other.label ? [] : [label]));
    const isEntering = chosen?.some(({ label }) => label === other.label) === true;
    return isEntering ? askNames(title, "repositoryName", names ?? []) : (names ?? before);
  } catch (error) {
    // The API description has no list of repositories (4.5).
    if (isMissingOperation(searchRepositories, error)) {
      return askNames(title, "repositoryName", before);
    }
    throw error;
  }
}

/** The names of the instance's repositories, and of those that other instances share with it. */
async function repositoryNames(client: PlatformClient): Promise<readonly string[]> {
  const names = new Set<string>();
  for (const shared of [false, true]) {
    for await (const page of allRepositories(client, { shared })) {
      for (const { name } of page) {
        if (typeof name === "string" && name !== "") {
          names.add(name);
        }
      }
      if (names.size >= maxRepositories) {
        break;
      }
    }
  }
  return [...names].toSorted((one, two) => one.localeCompare(two, vscode.env.language));
}

/** The platform compares full names. Multiple names are separated by commas. Canceling returns to the form. */
async function askNames(
  title: string,
  field: "repositoryName" | "commitName",
  before: readonly string[],
): Promise<readonly string[]> {
  const response = enterText({
    title,
    value: before.join(", "),
    prompt:
      field === "repositoryName"
        ? vscode.l10n.t("Full repository names, separated by commas. Leave empty for all repositories.")
        : vscode.l10n.t("Full commit names, separated by commas. Leave empty for all commits."),
  });
  const text = await unlessCanceled(response);
  return text?.split(",").flatMap((name) => (name.trim() === "" ? [] : [name.trim()])) ?? before;
}
