import { pythonPackage } from "./python-package.ts";

/**
 * The debugger of Python, which comes with ipykernel. It isn't in the environments of the tests, because each kernel
 * would load it: only the servers of the tests that debug have it.
 */
export const kernelDebugger = pythonPackage({
  id: "debugger",
  title: "the debugger of kernels",
  name: "debugpy",
  version: "1.8.22",
  duration: "about 5 s, once",
});
