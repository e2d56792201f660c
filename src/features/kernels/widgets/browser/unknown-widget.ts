import { DOMWidgetModel, DOMWidgetView } from "@jupyter-widgets/base";
import { element } from "../../../../ui/webview/browser/page.ts";

/** Stands for the model of a widget that is not part of this page: it keeps what the kernel says. */
export const unknownWidgetModel: typeof DOMWidgetModel = DOMWidgetModel;

/** The view of such a widget: one sentence. */
export function unknownWidgetView(text: string): typeof DOMWidgetView {
  return class extends DOMWidgetView {
    override render(): void {
      this.el.replaceChildren(element("p", { class: "widget-remark" }, text));
    }
  };
}
