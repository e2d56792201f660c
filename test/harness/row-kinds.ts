interface MenuItem {
  readonly when?: string | undefined;
}

/**
 * The kinds of rows (`contextValue`) in the conditions of menus, such as `repository.own`. If a condition applies to
 * all states of a kind, the state is `any`. Conditions on a mark (`;id`) apply to rows of any kind and are omitted.
 */
export function rowKindsOf(items: readonly MenuItem[]): ReadonlySet<string> {
  return new Set(items.flatMap(({ when = "" }) => kindsOf(when)));
}

function kindsOf(when: string): readonly string[] {
  const exact = /viewItem == (\S+)/.exec(when)?.[1];
  if (exact !== undefined) return [exact];
  const pattern = /viewItem =~ \/\^(.*?)\/(?: |$)/.exec(when)?.[1];
  if (pattern === undefined) return [];
  const plain = pattern.replace(/\\b$/, "").replaceAll("\\.", ".");
  return expanded(plain).map((kind) => kind.replace(/\.$/, ".any"));
}

/** All strings that match a pattern of words, dots, and one group: `a(b|c)?` yields `a`, `ab`, and `ac`. */
function expanded(pattern: string): readonly string[] {
  const [, before = "", group, optional, after = ""] = /^([^(]*)\(([^)]*)\)(\??)(.*)$/.exec(pattern) ?? [];
  if (group === undefined) return [pattern];
  const choices = [...(optional === "?" ? [""] : []), ...group.split("|")];
  return choices.flatMap((choice) => expanded(`${before}${choice}${after}`));
}
