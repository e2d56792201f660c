import type { ContentItem } from "../../api/catalogue/models/contents.ts";
import type { ConditionalListing } from "../../api/content-server/listing.ts";
import type { FileChange } from "../session/workspace-session.ts";

/** What the watching of one workspace stands on. */
export interface WatchingGround {
  /** The directories that are watched now. */
  directories(): readonly string[];
  /** Looks at a directory on the server. */
  look(path: string, etag: string | undefined): Promise<ConditionalListing>;
  /** What is known of a directory already, with the ETag where the listing had one. */
  known(path: string): { readonly children: readonly ContentItem[]; readonly etag: string | undefined } | undefined;
  /** What is known of one item, after our own change. */
  item(path: string): ContentItem | undefined;
  /** Takes a listing that was asked for at that time. */
  learn(path: string, askedAt: number, listing: ConditionalListing & { readonly type: "listed" }): void;
  learnAbsent(path: string): void;
  /** A number that is another one after each of our own changes in a directory; undefined while one is under way. */
  revision(directory: string): number | undefined;
  /** Open files of a directory of which the server has another version than the editor shows. */
  outdated(directory: string, children: readonly ContentItem[]): readonly string[];
  tell(changes: readonly FileChange[]): void;
  /** What the failure of a look means: wait longer, wait until the workspace is there again, or that it is not there. */
  judge(error: unknown): "later" | "suspend" | "absent";
}

export interface Clock {
  now(): number;
  /** Runs the work after that many milliseconds; gives a function that prevents it. */
  schedule(milliseconds: number, work: () => void): () => void;
}
