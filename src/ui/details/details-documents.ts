import * as vscode from "vscode";
import type { Connections } from "../../tenants/connections.ts";
import type { DocumentAddress } from "../documents/document-address.ts";
import type { PlatformResource, ResourceType } from "../resources/resource.ts";
import { resourcePage } from "../resources/resource-pages.ts";
import type { Details, DetailsReader } from "./details.ts";
import { detailsResource, detailsUri } from "./details-address.ts";
import { fullDate } from "./full-date.ts";
import { detailsMarkdown } from "./markdown.ts";

/** Details of resources as Markdown documents, and the platform's responses. */
export class DetailsDocuments {
  readonly #connections: Pick<Connections, "platform" | "tenant">;
  readonly #readerOf: (type: ResourceType) => Promise<DetailsReader | undefined>;

  constructor(
    connections: Pick<Connections, "platform" | "tenant">,
    readerOf: (type: ResourceType) => Promise<DetailsReader | undefined>,
  ) {
    this.#connections = connections;
    this.#readerOf = readerOf;
  }

  async markdown(address: DocumentAddress): Promise<string> {
    const resource = detailsResource(address);
    const details = await this.#read(resource);
    const page = resourcePage(this.#connections.tenant(resource.tenantId), resource);
    const web = page === undefined ? undefined : ({ type: "web", label: page, address: page } as const);
    const lines = [...details.lines, [vscode.l10n.t("Web page"), web] as const];
    return detailsMarkdown(
      { ...details, lines },
      {
        name: resource.name === resource.id ? undefined : resource.name,
        translate: vscode.l10n.t,
        date: fullDate,
        // Documents of the same tenant are siblings of this one.
        linkTo: (other) => relativeLink(other),
      },
    );
  }

  async json(address: DocumentAddress): Promise<string> {
    const { raw } = await this.#read(detailsResource(address));
    return `${JSON.stringify(raw, undefined, 2)}\n`;
  }

  async #read(resource: PlatformResource): Promise<Details> {
    const client = await this.#connections.platform(resource.tenantId);
    const read = await this.#readerOf(resource.type);
    if (read === undefined) {
      throw new Error(vscode.l10n.t("No details are available for {0}.", resource.name));
    }
    return read({ client, resource });
  }
}

/** From `/details/<key>/<title>` to another such path. */
function relativeLink(other: PlatformResource): string {
  const { path } = detailsUri(other, "details");
  return `../..${path.split("/").map(encodeURIComponent).join("/")}`;
}
