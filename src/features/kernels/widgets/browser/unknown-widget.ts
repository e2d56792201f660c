import { DOMWidgetModel, DOMWidgetView } from "@jupyter-widgets/base";
import { element } from "../../../../ui/webview/browser/page.ts";

/** The model of a widget whose package is not part of this page. It keeps the state from the kernel. */
export const unknownWidgetModel: typeof DOMWidgetModel = DOMWidgetModel;

/** The view of such a widget, which shows a single sentence. */
export function unknownWidgetView(text: string): typeof DOMWidgetView {
  return class extends DOMWidgetView {
    override render(): void {
      this.el.replaceChildren(element("p", { class: "widget-remark" }, text));
    }
  };
}
