import assert from "node:assert/strict";
import { timerUser } from "../../../../src/features/workflows/timer-user.ts";
import { nextInput } from "../../../harness/editor-stand-in/vscode.ts";
import { until } from "../../../harness/until.ts";
import { failureOf, fakePlatform, json } from "../../api/fake-platform.ts";

describe("the user who creates a timer", () => {
  it("is the signed-in user, without a question", async () => {
    const { platform } = fakePlatform(() => json(200, { id: 7 }));
    assert.equal(await timerUser(platform, "Mails"), "7");
  });

  // Proves 2.8: a TIMER's entity ID is the ID of the user who
  it("is selected from the described list of users if the platform doesn't return who is signed in", async () => {
    const users = [{ id: 8, displayName: "Ada" }, { displayName: "without an ID" }];
    const fake = fakePlatform(({ path }) => (path.includes("/users/me") ? json(404, {}) : json(200, users)));
    const shown = nextInput();
    const chosen = timerUser(fake.platform, "Mails");
    const input = await shown;
    await until("the users are listed", () => input.items.length > 0);
    assert.deepEqual(
      input.items.map(({ label }) => label),
      ["Ada"],
    );
    input.choose("Ada");
    assert.equal(await chosen, "8");
    assert.equal(fake.requests.at(-1)?.path, "/api/content/v1/users");
  });

  it("is an error before the form if the signed-in user can't be read", async () => {
    const { platform } = fakePlatform(() => json(403, { message: "no" }));
    assert.equal((await failureOf(timerUser(platform, "Mails"))).operationId, "users.me");
  });
});
