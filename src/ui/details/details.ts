import type { PlatformClient } from "../../api/client/client.ts";
import type { PlatformResource, ResourceType } from "../resources/resource.ts";

/** A value in details: text, a time, the name behind an id, or a link to another resource. */
export type DetailValue =
  | string
  | { readonly type: "date"; readonly value: string | number | null | undefined }
  | { readonly type: "code"; readonly text: string }
  | { readonly type: "resource"; readonly resource: PlatformResource }
  | { readonly type: "web"; readonly label: string; readonly address: string };

/** A line; omitted if it has no value. */
export type DetailLine = readonly [name: string, value: DetailValue | undefined];

/** A section below the lines. */
export type DetailSection =
  | {
      readonly type: "table";
      readonly title: string;
      readonly columns: readonly string[];
      readonly rows: readonly (readonly (DetailValue | undefined)[])[];
      /** Shown instead of a table without rows. */
      readonly empty: string;
      /** A sentence below the table, for example about rows that are missing. */
      readonly remark?: string | undefined;
    }
  | { readonly type: "code"; readonly title: string; readonly language: string; readonly text: string }
  | { readonly type: "text"; readonly title: string; readonly text: string };

/** The details of a resource, for a document. */
export interface Details {
  /** The kind of resource, such as "App design". */
  readonly kind: string;
  readonly description?: string | undefined;
  readonly lines: readonly DetailLine[];
  readonly sections: readonly DetailSection[];
  /** The platform's response. */
  readonly raw: unknown;
}

interface DetailsRequest {
  readonly client: PlatformClient;
  readonly resource: PlatformResource;
}

/** Reads a resource for its document. */
export type DetailsReader = (request: DetailsRequest) => Promise<Details>;

/** The resource types of a feature's readers, which load with the first document that needs one. */
export interface DetailsContribution {
  readonly types: readonly ResourceType[];
  readonly load: () => Promise<Readonly<Partial<Record<ResourceType, DetailsReader>>>>;
}
