// Messages between the extension and the page in a webview. All of them are plain data.

/** From a page to the extension. */
export type PageMessage<Choices, Action extends string> =
  | { readonly type: "read"; readonly choices?: Choices }
  | { readonly type: "action"; readonly action: Action };

/** From the extension to a page. */
export type PanelMessage<Content> =
  | { readonly type: "loading" }
  | { readonly type: "content"; readonly content: Content; readonly readAt: string }
  | { readonly type: "failed"; readonly text: string };

/** Texts of the frame; the page replaces `{0}`. */
export interface FrameTexts {
  readonly loading: string;
  readonly retry: string;
  readonly readAt: string;
}

/** The texts that every page has. */
export interface PageTexts {
  readonly title: string;
}

/** The initial data of a page. */
export interface PageStart<Subject, Texts extends PageTexts> {
  readonly subject: Subject;
  readonly texts: Texts & FrameTexts;
}

/** The state that a page keeps when it is hidden or reloaded. */
export interface PageState<Subject, Content, Choices> {
  readonly subject: Subject;
  readonly content: Content | undefined;
  /** The formatted time when the content was read. */
  readonly readAt: string;
  readonly choices: Choices | undefined;
}
