import assert from "node:assert/strict";
import type { AnyOperation, Effect } from "../../../../../src/api/catalogue/operation.ts";
import { catalogue } from "../../../../../src/api/catalogue/operations/catalogue.ts";
import { toolsets } from "../../../../../src/programs/front-door/config/settings.ts";
import { toolsFor } from "../../../../../src/programs/front-door/mcp/all-tools.ts";
import { toolPagingOf } from "../../../../../src/programs/front-door/mcp/operation-paging.ts";
import { toolNameOf } from "../../../../../src/programs/front-door/mcp/tool-definition.ts";

const everything = { toolsets: [], readOnly: false };
const tools = toolsFor(everything);
const operations: readonly AnyOperation[] = catalogue;

function listed(name: string) {
  const tool = tools.find((one) => one.listed.name === name);
  assert.ok(tool !== undefined, `there is a tool ${name}`);
  return tool.listed;
}

describe("front door: the list of tools", () => {
  it("has one for each operation that a remote caller can use, and none for the internal service", () => {
    const names = new Set(tools.map(({ listed: { name } }) => name));
    const replaced = new Set(["contents.get", "contents.update", "designs.versions.assets"]);
    for (const { id, credential } of operations) {
      assert.ok(replaced.has(id) || names.has(toolNameOf(id)) === (credential !== "internal"), id);
    }
    const own = ["contents_list", "contents_read", "contents_write", "contents_create_directory"];
    for (const name of [...own, "designs_versions_assets"]) {
      assert.ok(names.has(name), name);
    }
  });

  it("has unique names that every client accepts, always in the same order", () => {
    const names = tools.map((tool) => tool.listed.name);
    assert.deepEqual(
      names.filter((name) => !/^[a-z][a-z0-9_]{0,29}$/.test(name)),
      [],
    );
    assert.equal(new Set(names).size, names.length);
    assert.deepEqual(
      toolsFor(everything).map((tool) => tool.listed.name),
      names,
    );
    assert.equal(toolNameOf("workflows.versions.create"), "workflows_versions_create");
    assert.equal(toolNameOf("workflows.versions.createFirst"), "workflows_create_first");
  });

  it("marks read-only, destructive, and idempotent tools", () => {
    for (const { effect, listed: tool } of tools) {
      assert.equal(tool.annotations.readOnlyHint, effect === "read", tool.name);
      assert.equal(tool.annotations.destructiveHint, effect === "destroy" || effect === "run", tool.name);
    }
    assert.equal(listed("workspaces_update").annotations.idempotentHint, true);
    assert.equal(listed("pages_duplicate").annotations.idempotentHint, false);
    assert.equal(listed("workflows_create").annotations.idempotentHint, false);
  });

  it("classifies every tool that changes something, and confirms those that remove or replace data", () => {
    const namesOf = (wanted: Effect): readonly string[] =>
      tools.filter(({ effect }) => effect === wanted).map(({ listed: { name } }) => name);
    // contents_write replaces a file only with the version that the caller has read.
    assert.deepEqual(namesOf("change").toSorted(), [
      ...["contents_checkpoints_create", "contents_create", "contents_create_directory", "contents_rename"],
      ...["contents_write", "pages_collections_add", "pages_create", "pages_duplicate", "pages_duplicate_async"],
      ...["sandbox_commit_requests_create", "workflows_create", "workflows_create_first", "workflows_triggers_create"],
      ...["workflows_versions_create", "workspaces_instances_start"],
    ]);
    assert.deepEqual(namesOf("grant").toSorted(), [
      ...["app_studio_shares_add", "designs_admins_add", "pages_owners_add", "pages_shares_add"],
    ]);
    assert.deepEqual(namesOf("run").toSorted(), [
      ...["code_engine_functions_run", "workflows_start", "workflows_triggers_activate"],
    ]);
    assert.deepEqual(namesOf("destroy").toSorted(), [
      ...["contents_checkpoints_delete", "contents_checkpoints_restore", "contents_dataflow_update"],
      ...["contents_delete", "designs_owner_update", "pages_analyzer_update"],
      ...["pages_bulk_move", "pages_cards_act", "pages_collections_remove", "pages_collections_update"],
      ...["pages_delete", "pages_filter_views_delete", "pages_order_update"],
      ...["pages_owners_remove", "pages_shares_remove", "pages_shares_revoke"],
      ...["sandbox_access_update", "sandbox_aliases_update", "sandbox_permissions_update"],
      ...["sandbox_promote_and_seed", "sandbox_settings_update", "workflows_definition_update"],
      ...["workflows_delete", "workflows_executions_cancel", "workflows_permissions_update"],
      ...["workflows_triggers_delete", "workflows_update"],
      ...["workflows_versions_release", "workflows_versions_update", "workspaces_instances_stop"],
      ...["workspaces_owner_update", "workspaces_update"],
    ]);
  });

  it("has an object schema for each, with a description and only accepted members", () => {
    for (const { listed: tool } of tools) {
      const { inputSchema } = tool;
      assert.equal(inputSchema.type, "object");
      assert.equal(inputSchema.additionalProperties, false);
      assert.ok(
        (inputSchema.required ?? []).every((name) => Object.hasOwn(inputSchema.properties, name)),
        tool.name,
      );
      // Some clients refuse a union at the top, or a longer description.
      assert.ok(!["anyOf", "oneOf", "allOf"].some((union) => Object.hasOwn(inputSchema, union)), tool.name);
      assert.ok(tool.description.length <= 1024, tool.name);
      assert.match(tool.description, /^[A-Z].*\.$/);
      assert.ok(!JSON.stringify(tool).includes("$schema"), tool.name);
    }
  });

  it("says what each reading tool returns, in the words of the items", () => {
    assert.match(
      listed("designs_list").description,
      /^List .*\. Returns a list of items with id, name, .*owners, .*\.$/,
    );
    assert.match(listed("workspaces_search").description, / Returns workspaces with id, name, description, owner, /);
    assert.match(listed("pages_shares_list").description, / Returns users, groups\.$/);
    assert.equal(listed("designs_admins_add").title, "Make users admins of an app design");
    const silent = tools.filter(
      ({ effect, listed: { description } }) => effect === "read" && !/returns?/i.test(description),
    );
    // The API description does not say what these return.
    assert.deepEqual(silent.map(({ listed: { name } }) => name).toSorted(), [
      ...["designs_permissions_get", "pages_navigation_get", "workflows_outputs_get", "workflows_permissions_get"],
      "workflows_usage_get",
    ]);
    assert.ok(tools.every(({ listed: { description } }) => !/\.\.|\bobject or\b/.test(description)));
  });

  it("has limit and cursor instead of an operation's own paging", () => {
    for (const operation of operations) {
      const paging = toolPagingOf(operation);
      if (paging === undefined || operation.credential === "internal") {
        continue;
      }
      const { properties } = listed(toolNameOf(operation.id)).inputSchema;
      assert.ok(properties.limit !== undefined && properties.cursor !== undefined, operation.id);
      const text = JSON.stringify({ ...properties, limit: undefined });
      assert.ok(!text.includes(`"${paging.offset}"`) && !text.includes(`"${paging.limit}"`), operation.id);
    }
    assert.deepEqual(
      operations
        .filter((operation) => toolPagingOf(operation) !== undefined)
        .map(({ id }) => id)
        .toSorted(),
      [
        ...["designs.list", "groups.list", "pages.summaries.search", "sandbox.commitRequests.search"],
        ...["sandbox.promotions.search", "sandbox.repositories.search", "users.list", "workspaces.search"],
      ],
    );
  });

  it("has no member for a secret", () => {
    const secretive = /token|secret|password|credential|authorization/i;
    for (const { listed: tool } of tools) {
      const names = [...JSON.stringify(tool.inputSchema.properties).matchAll(/"([^"]+)":\{/g)].map(([, name]) => name);
      assert.deepEqual(
        names.filter((name) => secretive.test(name ?? "")),
        [],
        tool.name,
      );
    }
  });

  it("depends on the configuration", () => {
    const reads = toolsFor({ toolsets: [], readOnly: true });
    assert.ok(reads.every(({ effect }) => effect === "read"));
    assert.ok(reads.length < tools.length && reads.length > 50);
    const some = toolsFor({ toolsets: ["designs", "contents"], readOnly: true });
    assert.deepEqual(new Set(some.map(({ toolset }) => toolset)), new Set(["contents", "designs"]));
    const apart = toolsets.map((toolset) => toolsFor({ toolsets: [toolset], readOnly: false }).length);
    assert.ok(apart.every((count) => count > 0));
    assert.equal(
      apart.reduce((sum, count) => sum + count),
      tools.length,
    );
  });
});
