import * as vscode from "vscode";
import type { PageCollection } from "../../api/catalogue/models/pages.ts";
import { PageHierarchy } from "../../api/families/pages/page-hierarchy.ts";
import { pageIdOnWire, readPageTree } from "../../api/families/pages/pages.ts";
import { type JsonObject, parseJsonObject } from "../../ui/documents/json-object.ts";
import { type ParsedText, required, text } from "../../ui/quick-input/questions.ts";
import { pickItem } from "../../ui/quick-input/show-input.ts";
import { Steps } from "../../ui/quick-input/wizard.ts";
import type { ChosenPage } from "./choice.ts";

/** True if a page's collections are those that it is a member of (API description, 4.4), not groups of its cards. */
export function hasMemberships({ client }: Pick<ChosenPage, "client">): boolean {
  return client.dialect.pageCollections === "memberships";
}

/**
 * Asks for the collection to which to add the page, and shows the body before it is sent, because the API description
 * doesn't specify its other members. Throws a CancellationError if canceled.
 */
export async function askForMembership(page: ChosenPage): Promise<JsonObject> {
  const heading = vscode.l10n.t("Add {0} to Collection", page.name);
  const collectionId = await chooseCollectionId(page, heading);
  return askForBody(heading, { collectionId: pageIdOnWire(collectionId) });
}

/** Asks for the changed membership. Throws a CancellationError if canceled. */
export function askForMembershipChange(
  page: ChosenPage,
  name: string,
  membership: PageCollection,
): Promise<JsonObject> {
  return askForBody(vscode.l10n.t("Change Membership of {0} in {1}", page.name, name), membership);
}

/**
 * Asks for one of the collections that other pages belong to, or for an id, because the platform has no list of
 * collections.
 */
async function chooseCollectionId(page: ChosenPage, heading: string): Promise<string> {
  const known = await knownCollections(page);
  if (known.size > 0) {
    const other = {
      label: vscode.l10n.t("Another Collection…"),
      iconPath: new vscode.ThemeIcon("edit"),
      id: undefined,
    };
    const items = [...known].map(([id, title]) => ({
      label: title,
      description: id,
      iconPath: new vscode.ThemeIcon("library"),
      id,
    }));
    const placeHolder = vscode.l10n.t("Collection to add the page to");
    const { id } = await pickItem<vscode.QuickPickItem & { readonly id: string | undefined }>([...items, other], {
      title: heading,
      placeHolder,
    });
    if (id !== undefined) {
      return id;
    }
  }
  const { id } = await Steps.from({})
    .step(
      text(() => ({
        prompt: vscode.l10n.t("ID of the collection"),
        placeholder: "9001",
        read: required(vscode.l10n.t("A collection's ID is required.")),
      })),
      (typed) => ({ id: typed }),
    )
    .ask(heading);
  return id;
}

/** Titles by id from the page hierarchy; empty if it doesn't contain any. */
async function knownCollections({ client }: ChosenPage): Promise<ReadonlyMap<string, string>> {
  const known = new Map<string, string>();
  for (const { node } of new PageHierarchy(await readPageTree(client)).places) {
    const collections: readonly unknown[] = Array.isArray(node.fields.collections) ? node.fields.collections : [];
    for (const one of collections) {
      const { collectionId, collectionTitle } = (one ?? {}) as Readonly<Record<string, unknown>>;
      if (typeof collectionId === "string" || typeof collectionId === "number") {
        const id = String(collectionId);
        known.set(id, typeof collectionTitle === "string" && collectionTitle !== "" ? collectionTitle : id);
      }
    }
  }
  return known;
}

async function askForBody(heading: string, initial: JsonObject): Promise<JsonObject> {
  const { body } = await Steps.from({})
    .step(
      text(() => ({
        prompt: vscode.l10n.t("Request body, a JSON object"),
        placeholder: "{}",
        initial: JSON.stringify(initial),
        read: readBody,
      })),
      (object) => ({ body: object }),
    )
    .ask(heading);
  return body;
}

function readBody(typed: string): ParsedText<JsonObject> {
  const read = parseJsonObject(typed, vscode.l10n.t);
  return read.valid ? read : { valid: false, reason: vscode.l10n.t("Can't send the body: {0}.", read.reason) };
}
