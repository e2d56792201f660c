import * as base from "@jupyter-widgets/base";
import { ManagerBase } from "@jupyter-widgets/base-manager";
import * as controls from "@jupyter-widgets/controls";
import { OutputModel } from "@jupyter-widgets/output";
import type { PageModel } from "../messages.ts";
import { PageComm, PendingMessages, viewOf } from "./page-comm.ts";
import type { PageLink } from "./page-link.ts";
import { isDomView, namedSliderView } from "./slider-view.ts";
import { unknownWidgetModel, unknownWidgetView } from "./unknown-widget.ts";

type WidgetClass = typeof base.WidgetModel | typeof base.WidgetView;

/** The parts that the manager of a page needs. */
export interface WidgetManagerParts {
  readonly link: PageLink;
  /** The view of an Output widget. */
  readonly outputView: typeof base.WidgetView;
  /** The sentence for a widget whose package is not part of this page. */
  readonly unknownText: (className: string, moduleName: string) => string;
}

/** The widgets of a page. Supports only those of ipywidgets itself. Never loads other packages. */
export class WidgetManager extends ManagerBase {
  readonly #parts: WidgetManagerParts;
  readonly #pending = new PendingMessages();
  readonly #comms = new Map<string, PageComm>();
  readonly #modules: ReadonlyMap<string, object>;

  constructor(parts: WidgetManagerParts) {
    super();
    this.#parts = parts;
    this.#modules = new Map<string, object>([
      ["@jupyter-widgets/base", base],
      ["@jupyter-widgets/controls", controls],
      ["@jupyter-widgets/output", { OutputModel, OutputView: parts.outputView }],
    ]);
  }

  /** Creates or updates widgets. All widgets must be passed at once, because they refer to each other. */
  put(models: readonly PageModel[]): void {
    for (const { commId, state, buffers } of models) {
      const paths = buffers.map(({ path }) => path);
      const views = buffers.map(({ data }) => viewOf(data));
      if (this.has_model(commId)) {
        this.deliver(commId, { method: "update", state, buffer_paths: paths }, views, undefined);
      } else {
        this.#create(commId, { ...state }, paths, views);
      }
    }
  }

  /** Passes a message of the kernel to its widget, after earlier messages. */
  deliver(commId: string, data: object, buffers: readonly DataView[], parent: string | undefined): void {
    if (this.has_model(commId)) {
      // The model receives messages only after it was created.
      this.get_model(commId).then(
        () => this.#comms.get(commId)?.deliver(data, buffers, parent),
        () => {},
      );
    }
  }

  /** Removes the views of a widget that the kernel closed. */
  closed(commId: string): void {
    this.#comms.delete(commId);
    this.#close(commId).catch(() => {});
  }

  /** Reports that the kernel has handled a message of this page. */
  handled(id: string): void {
    this.#pending.handled(id);
  }

  /** Removes all widgets, because there is no longer a kernel. */
  async end(): Promise<void> {
    const commIds = [...this.#comms.keys()];
    this.#comms.clear();
    await Promise.allSettled(commIds.map((commId) => this.#close(commId)));
  }

  protected override async loadClass(className: string, moduleName: string): Promise<WidgetClass> {
    const module = this.#modules.get(moduleName) ?? {};
    const found: unknown = Object.hasOwn(module, className) ? Reflect.get(module, className) : undefined;
    if (className.endsWith("SliderView") && isDomView(found)) {
      return namedSliderView(found);
    }
    if (isWidgetClass(found)) {
      return found;
    }
    const text = this.#parts.unknownText(className, moduleName);
    return className.endsWith("View") ? unknownWidgetView(text) : unknownWidgetModel;
  }

  protected override async _create_comm(): Promise<base.IClassicComm> {
    throw new Error("Widgets are opened by the kernel");
  }

  protected override async _get_comm_info(): Promise<object> {
    return {};
  }

  /** Closes a model. The manager forgets a model when its comm is closed. */
  async #close(commId: string): Promise<void> {
    if (this.has_model(commId)) {
      const model = await this.get_model(commId);
      model.trigger("comm:close");
      await model.close(true);
    }
  }

  #create(
    commId: string,
    state: Record<string, unknown>,
    paths: readonly (readonly (string | number)[])[],
    views: DataView[],
  ): void {
    const comm = new PageComm(commId, this.#parts.link, this.#pending);
    this.#comms.set(commId, comm);
    base.put_buffers(
      // The library's type is JSON, but the state also has buffers.
      state as Parameters<typeof base.put_buffers>[0],
      paths.map((path) => [...path]),
      views,
    );
    const options = {
      model_name: String(state._model_name),
      model_module: String(state._model_module),
      model_module_version: String(state._model_module_version),
      model_id: commId,
      comm,
    };
    // The error is shown in place of the widget.
    this.new_model(options, state).catch(() => {});
  }
}

function isWidgetClass(value: unknown): value is WidgetClass {
  return (
    typeof value === "function" &&
    (value.prototype instanceof base.WidgetModel ||
      value.prototype instanceof base.WidgetView ||
      value === base.WidgetModel ||
      value === base.WidgetView)
  );
}
