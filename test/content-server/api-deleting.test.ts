import assert from "node:assert/strict";
import { stat } from "node:fs/promises";
import { createCheckpoint } from "../../src/api/catalogue/operations/checkpoints.ts";
import type { ContentClient } from "../../src/api/client/client.ts";
import { createItem } from "../../src/api/content-server/contents.ts";
import { deleteTree } from "../../src/api/content-server/deletion.ts";
import { clientOf, failureOf } from "./api-client.ts";
import { type Folder, newFolder, servers } from "./servers.ts";

const notebook = '{"cells": [], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}';

for (const { name, start, startRefusing } of servers) {
  describe(`API layer on ${name}`, () => {
    for (const [setting, begin] of [
      ["deletes whole folders", start],
      ["refuses folders with something in them", startRefusing],
    ] as const) {
      describe(`that ${setting}`, () => {
        let deleting: ContentClient;
        let target: Folder;
        before(async () => {
          deleting = clientOf(await begin());
        });
        beforeEach(async () => {
          target = await newFolder(await begin());
        });

        async function isThere(path: string): Promise<boolean> {
          return stat(target.place(path)).then(
            () => true,
            () => false,
          );
        }

        it("deletes files, empty folders, and folders of any size", async () => {
          for (let number = 0; number < 30; number += 1) {
            await target.write(`top/d${number % 7}/e/f${number}.txt`, "x");
          }
          await target.write("single.txt", "x");
          await target.write("kept.txt", "x");
          await createItem(deleting, target.at("hollow"), undefined);
          for (const path of ["top", "single.txt", "hollow"]) {
            await deleteTree(deleting, target.at(path));
            assert.equal(await isThere(path), false, path);
          }
          assert.equal(await isThere("kept.txt"), true);
        });

        it("deletes a notebook's folder with its checkpoints", async () => {
          const path = target.at("n/a.ipynb");
          await createItem(deleting, target.at("n"), undefined);
          await createItem(deleting, path, Buffer.from(notebook));
          await deleting.call(createCheckpoint, { path });
          await deleteTree(deleting, target.at("n"));
          assert.equal(await isThere("n"), false);
        });

        it("names the remaining items if a folder contains an item that is not visible", async () => {
          await target.write("top/a.txt", "x");
          await target.write("top/sub/.hidden", "x");
          const work = deleteTree(deleting, target.at("top"));
          if (begin === start) {
            await work;
            assert.equal(await isThere("top"), false);
            return;
          }
          const failure = await failureOf(work);
          assert.deepEqual([failure.kind, failure.status], ["crud", 400]);
          assert.match(failure.message, new RegExp(`Remaining: ${target.at("top")}, ${target.at("top/sub")}\\.$`));
          assert.equal(await isThere("top/sub/.hidden"), true);
        });
      });
    }
  });
}
