import { textWithColors } from "../../../../api/displayed-text.ts";

/** An output item, as the editor passes it to a renderer. */
interface OutputItem {
  readonly id: string;
  readonly mime: string;
  text(): string;
  json(): unknown;
  data(): Uint8Array;
  /** The end of the text, if only that is new. */
  appendedText?(): string | undefined;
}

interface Renderer {
  renderOutputItem(item: OutputItem, element: unknown, signal?: AbortSignal): void | Promise<void>;
  disposeOutputItem?(id?: string): void;
}

interface RendererContext {
  getRenderer(id: string): Promise<Renderer | undefined>;
}

const errorType = "application/vnd.code.notebook.error";

/**
 * The renderer of text outputs and errors. Removes escape sequences other than colors, and lets the editor's own
 * renderer show the rest. The editor's renderer shows links, window titles, and other sequences as text, or omits
 * letters after them. The notebook is unchanged.
 */
export async function activate(context: RendererContext): Promise<Renderer> {
  const builtIn = await context.getRenderer("vscode.builtin-renderer");
  if (builtIn === undefined) {
    throw new Error("The editor has no renderer for text.");
  }
  const shown = new Set<string>();
  return {
    renderOutputItem(item, element, signal) {
      shown.add(item.id);
      return builtIn.renderOutputItem(displayedItem(item), element, signal);
    },
    disposeOutputItem(id) {
      // Without an ID, all outputs of this renderer are disposed of, but not those of the editor's renderer.
      for (const one of id === undefined ? [...shown] : [id]) {
        shown.delete(one);
        builtIn.disposeOutputItem?.(one);
      }
    },
  };
}

/** The item itself if it has nothing to remove, so that the editor can append to what it already shows. */
function displayedItem(item: OutputItem): OutputItem {
  const text = item.text();
  const safe = item.mime === errorType ? displayedError(text) : textWithColors(text);
  if (safe === text) {
    return item;
  }
  return {
    ...item,
    appendedText: () => undefined,
    text: () => safe,
    json: () => JSON.parse(safe),
    data: () => new TextEncoder().encode(safe),
  };
}

/** An error in the editor's format: `{ name, message, stack }`. */
function displayedError(json: string): string {
  let isChanged = false;
  const displayed = (_: string, value: unknown): unknown => {
    const safe = typeof value === "string" ? textWithColors(value) : value;
    isChanged ||= safe !== value;
    return safe;
  };
  try {
    const error: unknown = JSON.parse(json, displayed);
    return isChanged ? JSON.stringify(error) : json;
  } catch {
    return textWithColors(json);
  }
}
