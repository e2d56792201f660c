/**
 * What a line says about a URL of the machine itself. `announced`: something serves it. `foreign`: it belongs to
 * something else, such as the index of pip, a client's request, an error, or Jupyter. `mentioned`: neither is known.
 */
export type AddressPurpose = "announced" | "mentioned" | "foreign";

/** Maximum number of characters before and after the URL that are searched. */
const maxContext = 300;

/** An index of packages, a package, and the pages of Jupyter. */
const foreignPath =
  /\/(?:\+?simple|noarch|repodata\.json|linux-\w{1,20})(?:\/|$)|\.(?:whl|metadata|tar\.gz|zip|conda)$|^\/(?:lab|tree|notebooks|nbclassic|doc)(?:\/|$)/i;
const foreignBefore =
  /\b(?:looking in|links?|mirror|channels?|registry|repository|proxy|download(?:ing|ed)|upload(?:ing|ed)|fetch(?:ing|ed)|collecting|obtaining|cloning|request(?:ing|ed|s)?|connect(?:ing|ed|ion)? to|talking to|calling|posting|(?:re)?trying|curl|wget|pip|uv|git|redirect(?:ing|ed)?)\b|\bindex(?:es|[- ]urls?)?\s{0,3}[:=]|\b(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)\s/i;
/** An option, or a variable of the environment. */
const assignedBefore = /(?:^|\s)--?[\w-]+[ =]["']?$|\b[A-Z][A-Z0-9_]+=["']?$|["'][A-Z][A-Z0-9_]+["']:\s?["']?$/;
const failure =
  /(?:error|exception)\b|\b(?:refused|fail(?:ed|ure|s)?|unable|cannot|can't|could ?n[o']t|timed out|timeout|unreachable|max retries|retrying)\b/i;
/** The list of Jupyter's servers: the folder of each after two colons. */
const serverListAfter = /^\s{0,3}::\s/;

const announcedBefore = [
  /\b(?:running|serving|served|listening|start(?:ed|ing)|launch(?:ed|ing)|available|accessible|ready|visit|open|browse|view|see|go to|navigate|dashboard|(?:local|network|external|public|web|app|ui|server)\s{1,3}(?:url|address|ui|server))\b/i,
  /\b(?:at|on)\s{0,3}:?\s{0,3}["'(<]?$/i,
  /^\W*(?:url|local|network|address)\s*:\s*["'(<]?$/i,
];
/** Nothing but marks such as bullets and quotes. */
const marks = /^[^\p{L}\p{N}]*$/u;

/** Takes the text of the line before and after a URL. Takes time proportional to their lengths. */
export function purposeOf(before: string, url: URL, after: string): AddressPurpose {
  const [earlier, later] = [before.slice(-maxContext), after.slice(0, maxContext)];
  const isForeign =
    foreignPath.test(url.pathname) ||
    (url.pathname === "/" && url.searchParams.has("token")) ||
    foreignBefore.test(earlier) ||
    assignedBefore.test(earlier) ||
    failure.test(earlier) ||
    failure.test(later) ||
    serverListAfter.test(later);
  if (isForeign) {
    return "foreign";
  }
  const isAnnounced =
    announcedBefore.some((words) => words.test(earlier)) || (marks.test(earlier) && marks.test(later));
  return isAnnounced ? "announced" : "mentioned";
}
