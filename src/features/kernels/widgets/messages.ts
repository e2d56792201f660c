/** A binary value as it goes between the extension and a page: base64. */
type EncodedBuffer = string;

/** Texts of a page, in the editor's language. */
export interface WidgetTexts {
  /** `{0}`: a class, `{1}`: its module. */
  readonly unknownWidget: string;
  /** The kernel does not have the widget. */
  readonly missing: string;
}

/** A widget's model, with its binary values by their paths. */
export interface PageModel {
  readonly commId: string;
  readonly state: Readonly<Record<string, unknown>>;
  readonly buffers: readonly { readonly path: readonly (string | number)[]; readonly data: EncodedBuffer }[];
}

/** What happened to the kernel's widgets. */
export type PageEvent =
  /** These were opened, or have these states now. */
  | { readonly type: "models"; readonly models: readonly PageModel[] }
  /** `data` is that of a `comm_msg`. `parent`: the page's own message that it answers. */
  | {
      readonly type: "message";
      readonly commId: string;
      readonly data: Readonly<Record<string, unknown>>;
      readonly buffers: readonly EncodedBuffer[];
      readonly parent: string | undefined;
    }
  | { readonly type: "closed"; readonly commId: string }
  /** The kernel is done with a message of the page. */
  | { readonly type: "handled"; readonly id: string }
  /** The page knows all widgets of the kernel now. */
  | { readonly type: "complete" }
  /** There is no kernel, or none any more: what was shown is replaced by its text and this sentence. */
  | { readonly type: "unavailable"; readonly text: string };

/** To the page of this name. */
export interface MessageToPage {
  readonly page: string;
  readonly content:
    | { readonly type: "started"; readonly texts: WidgetTexts }
    | { readonly type: "events"; readonly events: readonly PageEvent[] }
    /** The text that the output has beside the widget. */
    | { readonly type: "text"; readonly commId: string; readonly text: string };
}

/** From a page, which names itself. */
export interface MessageFromPage {
  readonly page: string;
  readonly content:
    | { readonly type: "ready" }
    | {
        readonly type: "send";
        /** Names the message until it is handled. */
        readonly id: string;
        readonly commId: string;
        readonly data: Readonly<Record<string, unknown>>;
        readonly buffers: readonly EncodedBuffer[];
      }
    | { readonly type: "askText"; readonly commId: string };
}
