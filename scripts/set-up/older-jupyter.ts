import { environmentPart } from "./virtual-environment.ts";

/** A Python with the last Jupyter Server 1.x and the kernel of its time, as many platforms still run them. */
export const olderJupyter = environmentPart({
  id: "older-jupyter",
  name: "the Python environment of an older content server",
  duration: "about 15 s, once",
  packages: ["jupyter-server==1.24.0", "ipykernel==6.29.5"],
  // Each kernel would load the debugger, which no test uses.
  unwanted: "debugpy",
});
