/** A style sheet is its text, with all that it imports. */
declare module "*.css" {
  const text: string;
  export default text;
}

/** This page has its own instead. */
declare module "sanitize-html";
