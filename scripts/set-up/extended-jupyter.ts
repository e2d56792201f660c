import { environmentPart } from "./virtual-environment.ts";

/** A Python with a Jupyter Server that pairs notebooks with scripts, and one that keeps them in live rooms. */
export const extendedJupyter = environmentPart({
  id: "extended-jupyter",
  name: "the Python environment of a content server with extensions",
  duration: "about 25 s, once",
  // Without the part of jupyter-collaboration that runs in a browser.
  packages: ["jupyter-server==2.21.1", "jupytext==1.19.6", "jupyter-server-ydoc==3.0.4"],
  // With it, building the grammar of event schemas takes most of the time in which the server starts.
  unwanted: "rfc3987-syntax",
});
