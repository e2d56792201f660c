import assert from "node:assert/strict";
import "../../../harness/editor-stand-in/register.ts";
import type { KernelSpec } from "../../../../src/api/kernels/models.ts";

const specOf = (name: string): KernelSpec => ({ name, displayName: `The ${name}`, language: name, logoFile: "l.png" });

describe("the choice of a kernel", () => {
  it("shows the logos of kernels that the server has, and an icon for the others", async () => {
    // The editor's API is a stand-in here, which only what is imported afterwards gets.
    const { choiceItems } = await import("../../../../src/features/kernels/kernel-choice.ts");
    const { kernelLogos } = await import("../../../../src/features/kernels/kernel-logos.ts");
    const specs = ["python", "bash", "ir"].map(specOf);
    const logo = async ({ name }: KernelSpec): Promise<Uint8Array | undefined> => {
      if (name === "ir") {
        throw new Error("no answer");
      }
      return name === "python" ? Buffer.from([0xfb, 0xef, 0xff]) : undefined;
    };
    const logos = await kernelLogos({ logo }, specs);
    const kernel = { id: "k", specName: "bash", executionState: "idle", connections: 0, lastActivity: undefined };
    const sessions = [{ id: "s", path: "a.ipynb", name: "", type: "notebook", kernel }];
    const items = choiceItems("a.ipynb", { specs, running: [kernel], sessions, logos });
    const icons = items.map(({ iconPath }) =>
      iconPath !== undefined && "id" in iconPath ? iconPath.id : iconPath?.toString(),
    );
    assert.deepEqual(
      items.map(({ label }) => label),
      ["Running for this notebook", "The bash", "Start a new kernel", "The python", "The bash", "The ir"],
    );
    assert.deepEqual(icons.slice(0, 3), [undefined, "vm-active", undefined]);
    assert.equal(logos.get("python")?.toString(true), "data:image/png;base64,++//");
    assert.deepEqual(icons.slice(3), [logos.get("python")?.toString(), "vm", "vm"]);
  });
});
