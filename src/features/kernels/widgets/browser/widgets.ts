import { type DOMWidgetView, JupyterLuminoWidget } from "@jupyter-widgets/base";
import { element, filled } from "../../../../ui/webview/browser/page.ts";
import type { MessageToPage, PageEvent, WidgetTexts } from "../messages.ts";
import type { OutputItem, Renderer, RendererContext } from "./editor-renderers.ts";
import { type OutputRenderingParts, showOutput, textBlock } from "./output-rendering.ts";
import { outputViewClass } from "./output-view.ts";
import { viewOf } from "./page-comm.ts";
import { PageLink } from "./page-link.ts";
import { WidgetManager } from "./widget-manager.ts";
import styles from "./widgets.css";

/** Whether this page has the kernel's widgets: not yet, all of them, or not at all for this reason. */
type Knowledge =
  | { readonly type: "reading" }
  | { readonly type: "complete" }
  | { readonly type: "unavailable"; readonly text: string };

/** An output that shows a widget. */
interface Place {
  readonly element: HTMLElement;
  readonly commId: string;
  shown: { readonly type: "nothing" | "widget" } | { readonly type: "text"; readonly remark: string };
  view: DOMWidgetView | undefined;
}

/** Shows widgets in the outputs of one page. */
class WidgetRenderer implements Renderer {
  readonly #link: PageLink;
  readonly #manager: WidgetManager;
  readonly #places = new Map<string, Place>();
  #texts: WidgetTexts = { unknownWidget: "{1}.{0}", missing: "" };
  #knowledge: Knowledge = { type: "reading" };
  #work: Promise<void> = Promise.resolve();

  constructor(context: RendererContext) {
    this.#link = new PageLink(context, (content) => this.#take(content));
    const rendering: OutputRenderingParts = {
      context,
      showWidget: async (commId, place) => void (await this.#showView(commId, place)),
    };
    this.#manager = new WidgetManager({
      link: this.#link,
      outputView: outputViewClass((output, place) => showOutput(output, place, rendering)),
      unknownText: (className, moduleName) =>
        filled(this.#texts.unknownWidget, className).replace("{1}", () => moduleName),
    });
    this.#link.send({ type: "ready" });
  }

  renderOutputItem(item: OutputItem, target: HTMLElement): void {
    this.disposeOutputItem(item.id);
    const place: Place = { element: target, commId: commIdOf(item), shown: { type: "nothing" }, view: undefined };
    target.replaceChildren();
    target.classList.add("platform-workbench-widgets");
    this.#places.set(item.id, place);
    this.#refresh(place);
  }

  disposeOutputItem(id?: string): void {
    const removed = id === undefined ? [...this.#places.keys()] : [id];
    for (const key of removed) {
      this.#places.get(key)?.view?.remove();
      this.#places.delete(key);
    }
  }

  #take(content: MessageToPage["content"]): void {
    switch (content.type) {
      case "started":
        this.#texts = content.texts;
        return;
      case "text":
        for (const place of this.#places.values()) {
          if (place.commId === content.commId && place.shown.type === "text") {
            this.#fillText(place, place.shown.remark, content.text);
          }
        }
        return;
      case "events":
        for (const event of content.events) {
          // Handle events in order, because removing a kernel's widgets takes time, and those of another kernel may
          // follow.
          this.#work = this.#work.then(() => this.#takeEvent(event)).catch(() => {});
        }
    }
  }

  async #takeEvent(event: PageEvent): Promise<void> {
    switch (event.type) {
      case "models":
        this.#manager.put(event.models);
        this.#refreshAll();
        return;
      case "message":
        this.#manager.deliver(event.commId, event.data, event.buffers.map(viewOf), event.parent);
        return;
      case "closed":
        this.#manager.closed(event.commId);
        return;
      case "handled":
        this.#manager.handled(event.id);
        return;
      case "complete":
        this.#knowledge = { type: "complete" };
        this.#refreshAll();
        return;
      case "unavailable":
        this.#knowledge = { type: "unavailable", text: event.text };
        await this.#manager.end();
        this.#refreshAll();
    }
  }

  #refreshAll(): void {
    for (const place of this.#places.values()) {
      this.#refresh(place);
    }
  }

  #refresh(place: Place): void {
    const { type } = this.#knowledge;
    if (this.#manager.has_model(place.commId)) {
      if (place.shown.type !== "widget") {
        place.shown = { type: "widget" };
        place.element.replaceChildren();
        this.#showView(place.commId, place.element).then(
          (view) => {
            place.view = view;
          },
          (error: unknown) => this.#showText(place, String(error)),
        );
      }
    } else if (type === "unavailable") {
      this.#showText(place, this.#knowledge.text);
    } else if (type === "complete" && place.shown.type !== "widget") {
      // The kernel closed a widget that was shown.
      this.#showText(place, this.#texts.missing);
    }
  }

  async #showView(commId: string, target: HTMLElement): Promise<DOMWidgetView> {
    const model = await this.#manager.get_model(commId);
    const view: DOMWidgetView = await this.#manager.create_view(model);
    JupyterLuminoWidget.attach(view.luminoWidget, target);
    return view;
  }

  #showText(place: Place, remark: string): void {
    if (place.shown.type === "text" && place.shown.remark === remark) {
      return;
    }
    place.shown = { type: "text", remark };
    place.view = undefined;
    this.#fillText(place, remark, "");
    this.#link.send({ type: "askText", commId: place.commId });
  }

  #fillText(place: Place, remark: string, text: string): void {
    const lines = text === "" ? [] : [textBlock(text)];
    place.element.replaceChildren(...lines, element("p", { class: "widget-remark" }, remark));
  }
}

function commIdOf(item: OutputItem): string {
  const view = item.json();
  return typeof view === "object" && view !== null && "model_id" in view ? String(view.model_id) : "";
}

/** Called by the editor when a page shows its first widget. */
export function activate(context: RendererContext): Renderer {
  document.head.append(element("style", {}, styles));
  return new WidgetRenderer(context);
}
