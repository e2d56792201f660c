import * as vscode from "vscode";
import type { PlatformClient } from "../../api/client/client.ts";
import { contentKey, lookUpContent } from "../../api/families/content-names.ts";
import { cardsOfPage, type KnownCard } from "../../api/families/pages/page-cards.ts";
import { ancestorsText, PageHierarchy } from "../../api/families/pages/page-hierarchy.ts";
import { readPageTree } from "../../api/families/pages/pages.ts";
import type { RepositoryContentItem } from "../../api/families/repository-content.ts";
import { sentenceWords } from "../../ui/format/labels.ts";
import { cardItem, otherIdItem } from "../../ui/quick-input/card-items.ts";
import { anyText, askChoice, askText } from "../../ui/quick-input/questions.ts";
import type { Question, StepPlace } from "../../ui/quick-input/wizard.ts";
import {
  type MappedItem,
  otherWithTarget,
  type PlaceOnTarget,
  type PromotionOptions,
  withTarget,
} from "./promotion-mapping.ts";

/** The promotion that the options belong to. */
interface Promotion {
  readonly deploymentId: string;
}

interface PromotionOptionsParts {
  /** The initial options of the form. Also used after another deployment is chosen. */
  readonly usual: PromotionOptions;
  /** The target's domain. */
  readonly domainOf: (deploymentId: string) => string;
  /** The names of the repository's content by key. */
  readonly names: () => Promise<ReadonlyMap<string, string>>;
  /** The target, if the user is signed in to that tenant. */
  readonly target: (domain: string) => Promise<PlatformClient | undefined>;
}

/** The target of a promotion while its mapping is edited. */
interface Target {
  readonly domain: string;
  readonly client: PlatformClient | undefined;
  readonly names: ReadonlyMap<string, string>;
}

/** Asks for the optional parts of a promotion in one list. Its first line continues with the shown values. */
export function optionsQuestion(parts: PromotionOptionsParts): Question<Promotion, PromotionOptions> {
  let options = parts.usual;
  let madeFor: string | undefined;
  return async ({ deploymentId }, place) => {
    if (madeFor !== deploymentId) {
      // The replaced items exist only on one target.
      options = { ...options, mapping: parts.usual.mapping };
      madeFor = deploymentId;
    }
    const domain = parts.domainOf(deploymentId);
    for (;;) {
      const chosen = await askChoice(place, {
        placeholder: vscode.l10n.t("Continue, or choose an option to change it"),
        items: optionItems(options, domain),
      });
      if (chosen.type === "back") {
        return chosen;
      }
      const inner = { ...place, canGoBack: true };
      switch (chosen.value) {
        case "go":
          return { type: "next", value: options };
        case "mapping": {
          const [client, names] = await Promise.all([parts.target(domain), parts.names()]);
          const mapping = await askMapping(inner, options.mapping, { domain, client, names });
          options = { ...options, mapping };
          break;
        }
        case "seededName":
          options = {
            ...options,
            seededName: await askOptional(inner, options.seededName, {
              prompt: vscode.l10n.t("New repository name on {0} (optional)", domain),
              placeholder: vscode.l10n.t("Repository name"),
              read: anyText,
            }),
          };
          break;
        case "approvalId":
          options = {
            ...options,
            approvalId: await askOptional(inner, options.approvalId, {
              prompt: vscode.l10n.t("ID of the approval for this promotion (optional)"),
              placeholder: vscode.l10n.t("Approval ID"),
              read: readId,
            }),
          };
      }
    }
  };
}

function optionItems({ mapping, seededName, approvalId }: PromotionOptions, domain: string) {
  const none = vscode.l10n.t("none");
  const replaced = mapping.filter(({ target }) => target.type === "replaces").length;
  const places =
    mapping.length === 0
      ? vscode.l10n.t("no content")
      : replaced === 0
        ? vscode.l10n.t("only new items")
        : replaced === 1
          ? vscode.l10n.t("overwrites 1 item")
          : vscode.l10n.t("overwrites {0} items", replaced);
  return [
    {
      label: vscode.l10n.t("Continue"),
      description: vscode.l10n.t("promote to {0}", domain),
      iconPath: new vscode.ThemeIcon("arrow-right"),
      value: "go",
    },
    ...(mapping.length === 0
      ? []
      : [{ label: vscode.l10n.t("Mapping"), description: places, value: "mapping" } as const]),
    { label: vscode.l10n.t("Seed a Repository"), description: seededName || none, value: "seededName" },
    { label: vscode.l10n.t("Approval ID"), description: approvalId || none, value: "approvalId" },
  ] as const;
}

/** Asks for an optional text; Back leaves it unchanged. */
async function askOptional(
  place: StepPlace,
  before: string,
  options: Omit<Parameters<typeof askText<string>>[1], "initial">,
): Promise<string> {
  const response = await askText(place, { ...options, initial: before });
  return response.type === "back" ? before : response.value;
}

/** Shows a line with the destination of each content item. Back and the first line lead to the other options. */
async function askMapping(
  place: StepPlace,
  before: readonly MappedItem[],
  target: Target,
): Promise<readonly MappedItem[]> {
  let mapping = before;
  for (;;) {
    const chosen = await askChoice(place, {
      placeholder: vscode.l10n.t("Choose an item to change its target on {0}", target.domain),
      items: [
        { label: vscode.l10n.t("Use This Mapping"), iconPath: new vscode.ThemeIcon("check"), value: undefined },
        ...mapping.map((value) => ({
          label: itemText(value, target.names),
          description: targetText(value.target),
          value,
        })),
      ],
    });
    const item = chosen.type === "back" ? undefined : chosen.value;
    if (item === undefined) {
      return mapping;
    }
    const replaced = await askTarget(place, mapping, item, target);
    mapping = replaced === undefined ? mapping : withTarget(mapping, item, replaced);
  }
}

/** Asks for the destination of an item; undefined if the user goes back. */
async function askTarget(
  place: StepPlace,
  mapping: readonly MappedItem[],
  item: MappedItem,
  target: Target,
): Promise<PlaceOnTarget | undefined> {
  if (item.contentType === "PAGE" && target.client !== undefined) {
    const pages = pageItems(new PageHierarchy(await readPageTree(target.client)));
    const free = pages.filter(({ value }) => otherWithTarget(mapping, item, value.id) === undefined);
    const chosen = await askChoice<PlaceOnTarget>(place, {
      placeholder: vscode.l10n.t("Choose the target for {0} on {1}", itemText(item, target.names), target.domain),
      items: [newItem(), ...free],
    });
    return chosen.type === "back" ? undefined : chosen.value;
  }
  const cards = item.contentType === "CARD" ? await cardsOnTarget(mapping, target.client) : [];
  const free = cards.filter(({ id }) => otherWithTarget(mapping, item, id) === undefined);
  if (free.length > 0) {
    const chosen = await askChoice<PlaceOnTarget | undefined>(place, {
      placeholder: vscode.l10n.t("Choose the target for {0} on {1}", itemText(item, target.names), target.domain),
      items: [newItem(), ...free.map(targetItem), otherIdItem()],
    });
    if (chosen.type === "back" || chosen.value !== undefined) {
      return chosen.type === "back" ? undefined : chosen.value;
    }
  }
  return askTargetId(place, mapping, item, target);
}

/** The cards of the pages that the mapping overwrites: no operation lists all cards of the target. */
export async function cardsOnTarget(
  mapping: readonly MappedItem[],
  client: PlatformClient | undefined,
): Promise<readonly KnownCard[]> {
  const pages = mapping.flatMap(({ contentType, target }) =>
    contentType === "PAGE" && target.type === "replaces" ? [target.id] : [],
  );
  const cards =
    client === undefined ? [] : await Promise.all(pages.slice(0, maxPages).map((id) => cardsOfPage(client, id)));
  return [...new Map(cards.flat().map((card) => [card.id, card])).values()];
}

function targetItem(card: KnownCard): vscode.QuickPickItem & { readonly value: PlaceOnTarget } {
  return { ...cardItem(card), value: { type: "replaces", id: card.id, name: card.title } };
}

function newItem(): vscode.QuickPickItem & { readonly value: PlaceOnTarget } {
  return { label: vscode.l10n.t("A New Item"), iconPath: new vscode.ThemeIcon("add"), value: newTarget };
}

/** Asks for the id of the item to replace, from a lookup on the target if possible. */
async function askTargetId(
  place: StepPlace,
  mapping: readonly MappedItem[],
  item: MappedItem,
  { domain, client, names }: Target,
): Promise<PlaceOnTarget | undefined> {
  const usual = vscode.l10n.t(
    "ID of the item on {0} to overwrite with {1} (leave empty to create a new one)",
    domain,
    itemText(item, names),
  );
  let prompt = usual;
  let initial = item.target.type === "replaces" ? item.target.id : "";
  for (;;) {
    const response = await askText(place, {
      prompt,
      placeholder: vscode.l10n.t("ID"),
      initial,
      read: (typed) => {
        const other = typed === "" ? undefined : otherWithTarget(mapping, item, typed);
        return other === undefined
          ? readId(typed)
          : { valid: false, reason: vscode.l10n.t("{0} already overwrites this item.", itemText(other, names)) };
      },
    });
    if (response.type === "back") {
      return undefined;
    }
    const id = response.value;
    if (id === "") {
      return newTarget;
    }
    const found = client === undefined ? undefined : await lookUpContent(client, item.contentType, id);
    if (found?.type !== "missing") {
      return { type: "replaces", id, name: found?.type === "found" ? found.name : undefined };
    }
    initial = id;
    const kind = sentenceWords(item.contentType, vscode.l10n.t);
    prompt = `${vscode.l10n.t("{0} {1} doesn't exist on {2}.", kind, id, domain)} ${usual}`;
  }
}

/** Maximum number of pages whose cards are offered. Each page takes a few requests. */
const maxPages = 5;

const newTarget: PlaceOnTarget = { type: "new" };

type ReplacedPage = PlaceOnTarget & { readonly type: "replaces" };

function pageItems({ places }: PageHierarchy): readonly (vscode.QuickPickItem & { readonly value: ReplacedPage })[] {
  return places.map((place) => ({
    label: place.node.title,
    description: ancestorsText(place),
    iconPath: new vscode.ThemeIcon("browser"),
    value: { type: "replaces", id: place.node.id, name: place.node.title },
  }));
}

function readId(typed: string) {
  return /\s/.test(typed)
    ? ({ valid: false, reason: vscode.l10n.t("An ID can't contain spaces.") } as const)
    : ({ valid: true, value: typed } as const);
}

/** `Page "Sales Europe"`, or `Dataflow 4711` if its name is unknown. */
export function itemText(item: RepositoryContentItem, names: ReadonlyMap<string, string>): string {
  const kind = sentenceWords(item.contentType, vscode.l10n.t);
  const name = names.get(contentKey(item));
  return name === undefined ? `${kind} ${item.repositoryObjectId}` : vscode.l10n.t('{0} "{1}"', kind, name);
}

/** Describes the destination of an item in a few words. */
export function targetText(target: PlaceOnTarget): string {
  if (target.type === "new") {
    return vscode.l10n.t("→ new");
  }
  return target.name === undefined
    ? vscode.l10n.t("→ overwrites {0} (not checked)", target.id)
    : vscode.l10n.t('→ overwrites "{0}"', target.name);
}
