interface SanitizeOptions {
  readonly allowedTags: readonly string[];
}

const anyElement = new Set(["class", "style", "title"]);
const linkSchemes = new Set(["http:", "https:", "mailto:"]);
const imageSchemes = new Set(["http:", "https:", "data:"]);
/** Elements that are removed with their content. The content of other disallowed elements is kept. */
const droppedWhole = new Set(["script", "style", "template", "noscript", "iframe", "object", "embed", "textarea"]);

/**
 * Sanitizes the HTML of a widget's description. Keeps only the allowed elements, and no attribute that can run a
 * script. Parses it in a document that neither loads nor runs anything.
 */
export default function sanitize(html: string, { allowedTags }: SanitizeOptions): string {
  const { body } = new DOMParser().parseFromString(html, "text/html");
  const allowed = new Set(allowedTags);
  // Children come after their parents, so the children of unwrapped elements are checked, too.
  for (const element of [...body.querySelectorAll("*")]) {
    const name = element.localName;
    if (droppedWhole.has(name)) {
      element.remove();
    } else if (!allowed.has(name) || element.namespaceURI !== "http://www.w3.org/1999/xhtml") {
      element.replaceWith(...element.childNodes);
    } else {
      removeAttributes(element);
    }
  }
  return body.innerHTML;
}

function removeAttributes(element: Element): void {
  for (const { name, value } of [...element.attributes]) {
    const isAllowed =
      anyElement.has(name) ||
      name.startsWith("aria-") ||
      (name === "href" && element.localName === "a" && hasScheme(value, linkSchemes)) ||
      (name === "src" && element.localName === "img" && hasScheme(value, imageSchemes));
    if (!isAllowed) {
      element.removeAttribute(name);
    }
  }
}

function hasScheme(address: string, schemes: ReadonlySet<string>): boolean {
  try {
    return schemes.has(new URL(address).protocol);
  } catch {
    return false;
  }
}
