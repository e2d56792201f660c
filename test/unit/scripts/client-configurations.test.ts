import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { projectDirectory } from "../../../scripts/set-up/paths.ts";
import { clientConfigurations } from "../../../scripts/start/client-configurations.ts";

describe("the configurations of clients for a front door", () => {
  it("are in its documentation as the demo prints them, without a token", async () => {
    const documentation = await readFile(join(projectDirectory, "docs", "front-door.md"), "utf8");
    for (const { client, file, text } of clientConfigurations("https://tools.example.com/mcp")) {
      assert.ok(documentation.includes(`${client}, in \`${file}\`:\n\n\`\`\`json\n${text}\n\`\`\`\n`), client);
      assert.match(text, /"Authorization": "Bearer \$\{[\w:-]+\}"/);
    }
  });
});
