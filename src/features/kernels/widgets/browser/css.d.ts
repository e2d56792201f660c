/** A style sheet with all of its imports, as text. */
declare module "*.css" {
  const text: string;
  export default text;
}

/** The page replaces this package with its own `sanitize.ts`. */
declare module "sanitize-html";
