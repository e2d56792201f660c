import { element } from "../../../../ui/webview/browser/page.ts";
import { coloredText } from "./colored-text.ts";
import { builtInRenderer, type RendererContext } from "./editor-renderers.ts";

export const widgetType = "application/vnd.jupyter.widget-view+json";

/** The MIME types that the editor's own renderer shows, the richest first. */
const builtInTypes = ["text/html", "image/svg+xml", "image/png", "image/jpeg", "image/gif"];
let shownItems = 0;

export interface OutputRenderingParts {
  readonly context: RendererContext;
  readonly showWidget: (commId: string, place: HTMLElement) => Promise<void>;
}

/** Shows one output of an Output widget. `output` is in the format of notebook files. */
export async function showOutput(output: unknown, place: HTMLElement, parts: OutputRenderingParts): Promise<void> {
  const fields = fieldsOf(output);
  switch (fields.output_type) {
    case "stream":
      place.append(textBlock(mimeText(fields.text)));
      return;
    case "error": {
      const traceback = Array.isArray(fields.traceback) ? fields.traceback.map(mimeText).join("\n") : "";
      place.append(textBlock(traceback || `${mimeText(fields.ename)}: ${mimeText(fields.evalue)}`));
      return;
    }
    default:
      await showBundle(fieldsOf(fields.data), fieldsOf(fields.metadata), place, parts);
  }
}

async function showBundle(
  bundle: Readonly<Record<string, unknown>>,
  metadata: unknown,
  place: HTMLElement,
  { context, showWidget }: OutputRenderingParts,
): Promise<void> {
  const commId = fieldsOf(bundle[widgetType]).model_id;
  if (typeof commId === "string") {
    await showWidget(commId, place);
    return;
  }
  const mime = builtInTypes.find((type) => Object.hasOwn(bundle, type));
  const renderer = mime === undefined ? undefined : await context.getRenderer(builtInRenderer);
  if (mime === undefined || renderer === undefined) {
    place.append(textBlock(mimeText(bundle["text/plain"])));
    return;
  }
  const text = mimeText(bundle[mime]);
  const isBase64 = mime.startsWith("image/") && mime !== "image/svg+xml";
  const data = (): Uint8Array<ArrayBuffer> =>
    isBase64 ? Uint8Array.from(atob(text), (character) => character.charCodeAt(0)) : new TextEncoder().encode(text);
  shownItems += 1;
  const item = {
    id: `platform-workbench-widget-output-${shownItems}`,
    mime,
    metadata,
    text: () => text,
    json: () => bundle[mime],
    data,
    blob: () => new Blob([data()], { type: mime }),
  };
  await renderer.renderOutputItem(item, place);
}

/** A block of text in the editor's code font. */
export function textBlock(text: string): HTMLElement {
  const block = element("pre", { class: "widget-text" });
  block.append(coloredText(text));
  return block;
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {};
}

/** The text of a string or a list of lines; empty for anything else. */
function mimeText(value: unknown): string {
  if (Array.isArray(value)) {
    return value.map(mimeText).join("");
  }
  return typeof value === "string" ? value : "";
}
