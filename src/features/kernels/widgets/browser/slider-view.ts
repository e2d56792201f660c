import { DOMWidgetView } from "@jupyter-widgets/base";

/**
 * The view of a slider whose handles have the description as their accessible name. The library's handles have none.
 */
export function namedSliderView(view: typeof DOMWidgetView): typeof DOMWidgetView {
  return class extends view {
    override render(): void {
      super.render();
      // Changing the orientation creates the handles again.
      this.listenTo(this.model, "change:description change:orientation", () => this.#nameHandles());
      this.#nameHandles();
    }

    #nameHandles(): void {
      const description = String(this.model.get("description"));
      for (const handle of this.el.querySelectorAll(".noUi-handle")) {
        handle.setAttribute("aria-label", description);
      }
    }
  };
}

export function isDomView(found: unknown): found is typeof DOMWidgetView {
  return typeof found === "function" && found.prototype instanceof DOMWidgetView;
}
