import assert from "node:assert/strict";
import { widgetStateOf } from "../../../../src/features/kernels/widgets/saved-widget-state.ts";

describe("the saved state of widgets", () => {
  it("has the form that JupyterLab reads, with binary values in base64", () => {
    const slider = {
      _model_module: "@jupyter-widgets/controls",
      _model_module_version: "2.0.0",
      _model_name: "IntSlider",
    };
    const picture = { ...slider, _model_name: "ImageModel", format: "png" };
    const saved = widgetStateOf([
      { commId: "a", state: { ...slider, value: 7 }, buffers: [] },
      { commId: "b", state: picture, buffers: [{ path: ["value"], data: Buffer.from([1, 2, 255]) }] },
    ]);
    const [module, version] = ["@jupyter-widgets/controls", "2.0.0"];
    assert.deepEqual(saved, {
      version_major: 2,
      version_minor: 0,
      state: {
        a: {
          model_module: module,
          model_module_version: version,
          model_name: "IntSlider",
          state: { ...slider, value: 7 },
        },
        b: {
          model_module: module,
          model_module_version: version,
          model_name: "ImageModel",
          state: picture,
          buffers: [{ path: ["value"], encoding: "base64", data: "AQL/" }],
        },
      },
    });
  });
});
