import { environmentPart } from "./virtual-environment.ts";

/** A Python with the tools that check and test the companion's program. */
export const pythonTools = environmentPart({
  id: "python-tools",
  name: "the tools for Python",
  duration: "about 10 s, once",
  packages: ["jedi==0.20.1", "pytest==9.2.0", "ruff==0.17.5", "vermin==1.9.2"],
});
