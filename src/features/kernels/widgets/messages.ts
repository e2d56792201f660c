/** A binary value in a message between the extension and a page, in base64. */
type EncodedBuffer = string;

/** The localized texts of a page. */
export interface WidgetTexts {
  /** `{0}` is the class, `{1}` is its module. */
  readonly unknownWidget: string;
  /** Shown if the kernel does not have the widget. */
  readonly missing: string;
}

/** A widget's model, with its binary values by path. */
export interface PageModel {
  readonly commId: string;
  readonly state: Readonly<Record<string, unknown>>;
  readonly buffers: readonly { readonly path: readonly (string | number)[]; readonly data: EncodedBuffer }[];
}

/** An event of the kernel's widgets. */
export type PageEvent =
  /** These widgets were created, or have these states now. */
  | { readonly type: "models"; readonly models: readonly PageModel[] }
  /** `data` is the data of a `comm_msg`. `parent`: id of the page's message that it replies to. */
  | {
      readonly type: "message";
      readonly commId: string;
      readonly data: Readonly<Record<string, unknown>>;
      readonly buffers: readonly EncodedBuffer[];
      readonly parent: string | undefined;
    }
  | { readonly type: "closed"; readonly commId: string }
  /** The kernel has handled a message of the page. */
  | { readonly type: "handled"; readonly id: string }
  /** The page now has all widgets of the kernel. */
  | { readonly type: "complete" }
  /** There is no kernel, or no longer one. Each widget is replaced by its text and this sentence. */
  | { readonly type: "unavailable"; readonly text: string };

/** A message to the page with this name. */
export interface MessageToPage {
  readonly page: string;
  readonly content:
    | { readonly type: "started"; readonly texts: WidgetTexts }
    | { readonly type: "events"; readonly events: readonly PageEvent[] }
    /** The output's plain text alternative to the widget. */
    | { readonly type: "text"; readonly commId: string; readonly text: string };
}

/** A message from a page, with the name of the page. */
export interface MessageFromPage {
  readonly page: string;
  readonly content:
    | { readonly type: "ready" }
    | {
        readonly type: "send";
        /** Id of the message until it is handled. */
        readonly id: string;
        readonly commId: string;
        readonly data: Readonly<Record<string, unknown>>;
        readonly buffers: readonly EncodedBuffer[];
      }
    | { readonly type: "askText"; readonly commId: string };
}
