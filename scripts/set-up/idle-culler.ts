import { pythonPackage } from "./python-package.ts";

/** The service that stops idle servers of a JupyterHub. The hub's environment has what it needs. */
export const idleCuller = pythonPackage({
  id: "idle-culler",
  title: "the idle culler of JupyterHub",
  name: "jupyterhub-idle-culler",
  version: "2.0.0",
  duration: "about 2 s, once",
});
