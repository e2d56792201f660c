import { DOMWidgetView } from "@jupyter-widgets/base";

/** The view class of an Output widget, which shows each output with this function. Skips unchanged outputs. */
export function outputViewClass(show: (output: unknown, place: HTMLElement) => Promise<void>): typeof DOMWidgetView {
  return class extends DOMWidgetView {
    #shown: { readonly json: string; readonly place: HTMLElement }[] = [];

    override render(): void {
      super.render();
      this.el.classList.add("widget-output");
      this.listenTo(this.model, "change:outputs", () => this.#refresh());
      this.#refresh();
    }

    #refresh(): void {
      const outputs: unknown = this.model.get("outputs");
      const listed: readonly unknown[] = Array.isArray(outputs) ? outputs : [];
      const next = listed.map((output) => ({ output, json: JSON.stringify(output) }));
      const same = next.findIndex(({ json }, index) => this.#shown[index]?.json !== json);
      const kept = same < 0 ? next.length : same;
      for (const { place } of this.#shown.splice(kept)) {
        place.remove();
      }
      for (const { output, json } of next.slice(kept)) {
        const slot = document.createElement("div");
        const place = document.createElement("div");
        slot.append(place);
        this.el.append(slot);
        this.#shown.push({ json, place: slot });
        show(output, place).catch((error: unknown) => place.append(String(error)));
      }
    }
  };
}
