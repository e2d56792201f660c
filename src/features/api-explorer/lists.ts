import * as z from "zod/mini";
import type { AnyOperation } from "../../api/catalogue/operation.ts";
import { catalogue } from "../../api/catalogue/operations/catalogue.ts";
import type { PlatformClient } from "../../api/client/client.ts";

/** Something that a parameter can name. */
export interface ListedEntry {
  readonly id: string;
  readonly label: string;
}

/** Which operation lists what a parameter names: by `family.name` or by name. */
const listedBy: Readonly<Record<string, string>> = {
  workspaceId: "workspaces.search",
  notebookId: "workspaces.notebooks.search",
  designId: "designs.list",
  repositoryId: "sandbox.repositories.search",
  modelId: "workflows.list",
  executionId: "workflows.executions.list",
  pageId: "pages.summaries.search",
  "pages.id": "pages.summaries.search",
};

const idNames = ["id", "pageId"];
const labelNames = ["name", "title", "pageTitle", "displayName", "path", "modelName", "summary"];

/** What a parameter of an operation can name, the platform's first page of it; nothing where no operation lists it. */
export async function listedFor(
  operation: AnyOperation,
  parameter: string,
  client: PlatformClient,
): Promise<readonly ListedEntry[]> {
  const family = operation.id.split(".")[0];
  const listId = listedBy[`${family}.${parameter}`] ?? listedBy[parameter];
  const list: AnyOperation | undefined = catalogue.find(({ id }) => id === listId);
  if (list === undefined || list.credential !== "platform") {
    return [];
  }
  const input = z.safeParse(list.body, undefined).success ? {} : { body: {} };
  const answer: unknown = await client.call(list as AnyOperation & { credential: "platform" }, input as never);
  return entriesOf(answer);
}

function entriesOf(answer: unknown): readonly ListedEntry[] {
  const list = Array.isArray(answer)
    ? answer
    : typeof answer === "object" && answer !== null
      ? Object.values(answer).find(Array.isArray)
      : undefined;
  return (list ?? []).flatMap((item: unknown) => {
    const id = memberOf(item, idNames);
    return id === undefined ? [] : [{ id, label: memberOf(item, labelNames) ?? id }];
  });
}

function memberOf(item: unknown, names: readonly string[]): string | undefined {
  if (typeof item !== "object" || item === null) {
    return undefined;
  }
  const found = names
    .map((name): unknown => Reflect.get(item, name))
    .find((value) => value !== undefined && value !== "");
  return typeof found === "string" || typeof found === "number" ? String(found) : undefined;
}
