import assert from "node:assert/strict";
import { Client } from "../../../../src/api/client/client.ts";
import type { PlatformCredential } from "../../../../src/api/http/credentials.ts";
import { type DialectId, dialects } from "../../../../src/api/http/dialects.ts";
import type { DispatchResponse } from "../../../../src/api/http/dispatch.ts";
import { singleUserLimits } from "../../../../src/api/http/response-limits.ts";
import { askForNewTenant, askForTenant } from "../../../../src/features/tenants/form.ts";
import type { Tenant } from "../../../../src/tenants/tenant.ts";
import {
  CancellationError,
  InputBoxValidationSeverity,
  nextInput,
  QuickInputButtons,
  type StandInInput,
} from "../../../harness/editor-stand-in/vscode.ts";
import { until } from "../../../harness/until.ts";
import { connectionError, fakePlatform, html, json, origin, type Responder } from "../../api/fake-platform.ts";

const token = "a-token-of-alice";
const refused = json(401, { message: "Unauthorized" });

/** A platform that accepts the token in the headers of these dialects, and shows no difference without one. */
function platformOf(...spoken: readonly DialectId[]): Responder {
  return ({ headers, path }): DispatchResponse => {
    const isTaken = spoken.some((id) => {
      const { name, template } = dialects[id].headers.platform;
      return headers[name] === template.replace("{token}", token);
    });
    return isTaken && path === "/api/datascience/v1/workspaces/user" ? json(200, { name: "alice" }) : refused;
  };
}

describe("the questions of Add Tenant", () => {
  function start(respond: Responder) {
    const { transport, requests } = fakePlatform(respond);
    const trial = ({ baseUrl, dialect }: Tenant, credential: PlatformCredential) =>
      new Client(
        { kind: "platform", base: new URL(baseUrl), dialect, credential, limits: singleUserLimits },
        transport,
      );
    const shown = nextInput();
    const asked = askForNewTenant("Add Tenant", { transport, trial }, []);
    return { asked, shown, requests };
  }

  /** Uses a box, and returns the next one. */
  function inputAfter(act: () => void): Promise<StandInInput> {
    const next = nextInput();
    act();
    return next;
  }

  const place = ({ step, totalSteps }: StandInInput): string => `${step}/${totalSteps}`;
  const back = (input: StandInInput) => inputAfter(() => input.trigger(QuickInputButtons.Back));
  const hasBack = ({ buttons }: StandInInput): boolean => buttons.includes(QuickInputButtons.Back);

  it("are three if the credential determines the platform type", async () => {
    for (const dialect of ["documented", "domo"] as const) {
      const { asked, shown, requests } = start(platformOf(dialect));
      const address = await shown;
      assert.deepEqual([place(address), hasBack(address)], ["1/3", false]);
      const label = await inputAfter(() => address.submit("acme.example.com"));
      assert.deepEqual([place(label), label.value, hasBack(label)], ["2/3", "acme", true]);
      assert.ok(requests.length > 0, "the address was not tried before the next question");
      for (const { headers } of requests) assert.deepEqual(Object.keys(headers), ["accept"]);
      const credential = await inputAfter(() => label.submit("Acme"));
      assert.deepEqual([place(credential), credential.password, hasBack(credential)], ["3/3", true, true]);
      assert.equal(credential.title, "Sign In to Acme");
      assert.match(credential.words, /access token in the administration settings of acme\.example\.com/);
      credential.submit(`Bearer ${token}`);
      assert.deepEqual(await asked, { baseUrl: origin, label: "Acme", dialect, secret: token, account: "alice" });
    }
  });

  it("suggest a name: the first label of the hostname, or an unchanged IP address", async () => {
    for (const [typed, name] of [
      ["https://acme.example.com", "acme"],
      ["http://127.0.0.1:8080", "127.0.0.1"],
      ["http://[::1]:8080", "[::1]"],
    ] as const) {
      const { asked, shown } = start(platformOf("documented"));
      const address = await shown;
      const label = await inputAfter(() => address.submit(typed));
      assert.equal(label.value, name);
      label.dispose();
      await assert.rejects(asked, CancellationError);
    }
  });

  it("are four if the platform accepts the credential in both ways", async () => {
    const { asked, shown } = start(platformOf("documented", "domo"));
    const address = await shown;
    const label = await inputAfter(() => address.submit(origin));
    const credential = await inputAfter(() => label.accept());
    const type = await inputAfter(() => credential.submit(token));
    assert.deepEqual([place(type), type.placeholder, hasBack(type)], ["4/4", "Platform type", true]);
    const again = await back(type);
    assert.equal(again.title, "Sign In to acme");
    const typeAgain = await inputAfter(() => again.accept());
    typeAgain.choose("Domo");
    assert.equal((await asked).dialect, "domo");
  });

  it("go back from each to the previous one, with the entered values, even after a rejected credential", async () => {
    const { asked, shown } = start(platformOf("domo"));
    const address = await shown;
    const label = await inputAfter(() => address.submit(`${origin}/`));
    const credential = await inputAfter(() => label.submit("Acme"));
    credential.submit("wrong");
    await until("the refusal shows", () => /rejected this token: Unauthorized/.test(credential.words));
    assert.match(credential.words, /access token in the administration settings/);
    const labelAgain = await back(credential);
    assert.equal(labelAgain.value, "Acme");
    const addressAgain = await back(labelAgain);
    assert.deepEqual([place(addressAgain), addressAgain.value], ["1/3", `${origin}/`]);
    const labelLast = await inputAfter(() => addressAgain.accept());
    const credentialLast = await inputAfter(() => labelLast.accept());
    credentialLast.submit(token);
    assert.equal((await asked).label, "Acme");
  });

  it("stay at an address without a response, and test it again", async () => {
    let isUp = false;
    const { shown, requests } = start((request, nth) => {
      if (!isUp) throw connectionError("ENOTFOUND");
      return platformOf("documented")(request, nth);
    });
    const address = await shown;
    for (const count of [1, 2]) {
      address.submit(origin);
      await until("the failure shows", () => /can't be reached \(ENOTFOUND\)/.test(address.words));
      assert.deepEqual([address.value, address.busy, requests.length], [origin, false, count]);
    }
    isUp = true;
    assert.equal(place(await inputAfter(() => address.accept())), "2/3");
  });

  it("warn about an address that isn't a platform's, and continue only after a second Enter", async () => {
    const { shown, requests } = start(() => html(200));
    const address = await shown;
    address.submit(origin);
    await until("the warning shows", () =>
      /web page instead of an API response\. Press Enter again to continue/.test(address.words),
    );
    const { validationMessage: message } = address;
    assert.equal(typeof message === "object" && message.severity, InputBoxValidationSeverity.Warning);
    address.submit(`${origin}:8443`);
    await until("the other address was tried", () => requests.length === 2 && !address.busy);
    assert.equal(place(await inputAfter(() => address.accept())), "2/3");
  });

  it("offer http to this computer if its server doesn't support https, and use it only after a second Enter", async () => {
    const plain = "http://127.0.0.1:9001";
    const requested: string[] = [];
    const { asked, shown } = start((request, nth) => {
      requested.push(request.origin);
      if (request.origin !== plain) throw connectionError("ERR_SSL_WRONG_VERSION_NUMBER");
      return platformOf("documented")(request, nth);
    });
    const address = await shown;
    address.submit("127.0.0.1:9001");
    await until("the offer shows", () => address.words.includes(`A platform responds at ${plain}.`));
    assert.match(
      address.words,
      /^127\.0\.0\.1:9001 doesn't support https\. .* Press Enter again to use this address\.$/,
    );
    const label = await inputAfter(() => address.accept());
    const credential = await inputAfter(() => label.accept());
    credential.submit(token);
    assert.equal((await asked).baseUrl, plain);
  });

  it("offer no http to another computer, and none without a platform", async () => {
    for (const host of ["acme.example.com:9001", "localhost:9001"]) {
      const requested: string[] = [];
      const { asked, shown } = start((request) => {
        requested.push(request.origin);
        if (request.origin.startsWith("https:")) throw connectionError("ERR_SSL_WRONG_VERSION_NUMBER");
        return html(200);
      });
      const address = await shown;
      address.submit(host);
      await until("the failure shows", () => /doesn't respond with https/.test(address.words));
      assert.equal(requested.includes(`http://${host}`), host.startsWith("localhost"));
      address.submit(host);
      await until(
        "it is tried again, instead of used",
        () => requested.filter((one) => one.startsWith("https:")).length === 2,
      );
      const ended = assert.rejects(asked, CancellationError);
      address.dispose();
      await ended;
    }
  });

  it("use the address without its path if only that is a platform's", async () => {
    const { asked, shown, requests } = start((request, nth) =>
      request.path.startsWith("/page/1") ? html(404) : platformOf("documented")(request, nth),
    );
    const address = await shown;
    const label = await inputAfter(() => address.submit(`${origin}/page/1`));
    const tried = requests.length;
    const credential = await inputAfter(() => label.accept());
    credential.submit(token);
    assert.equal((await asked).baseUrl, origin);
    const later = requests.slice(tried);
    assert.ok(later.length > 0 && later.every(({ path }) => !path.startsWith("/page")));
  });

  it("cancel a test when the text changes, and when the box is closed", async () => {
    const signals: AbortSignal[] = [];
    const { asked, shown } = start(({ signal }) => {
      signals.push(signal);
      return new Promise((_, reject) => signal.addEventListener("abort", () => reject(new Error("aborted"))));
    });
    const address = await shown;
    address.submit(origin);
    await until("the address is tried", () => signals.length === 1);
    assert.equal(address.busy, true);
    address.type("https://other.example.com");
    assert.deepEqual([signals[0]?.aborted, address.busy, address.words], [true, false, "Tenant address"]);
    address.accept();
    await until("the other address is tried", () => signals.length === 2);
    const ended = assert.rejects(asked, CancellationError);
    address.dispose();
    await ended;
    assert.equal(signals[1]?.aborted, true);
  });
});

describe("the questions of Edit Tenant", () => {
  it("test an address only if it has changed", async () => {
    const { transport, requests } = fakePlatform(() => refused);
    const shown = nextInput();
    const trial = (): never => assert.fail("no credential is tried");
    const asked = askForTenant(
      "Edit Tenant Acme",
      { baseUrl: origin, label: "Acme", dialect: "domo" },
      { transport, trial },
      [],
    );
    const address = await shown;
    assert.deepEqual([address.step, address.totalSteps, address.value], [1, 3, origin]);
    let next = nextInput();
    address.accept();
    const label = await next;
    assert.equal(requests.length, 0);
    next = nextInput();
    label.submit("Beta");
    const type = await next;
    assert.deepEqual([type.step, type.totalSteps], [3, 3]);
    type.choose("Standard");
    assert.deepEqual(await asked, { baseUrl: origin, label: "Beta", dialect: "documented" });
  });
});
