import * as vscode from "vscode";
import type { Connections } from "../../tenants/connections.ts";
import type { DocumentAddress } from "../document-address.ts";
import type { PlatformResource } from "../resource.ts";
import { resourcePage } from "../resource-pages.ts";
import type { Details } from "./details.ts";
import { detailsResource, detailsUri } from "./details-address.ts";
import { detailsMarkdown } from "./markdown.ts";
import { detailsReaders } from "./readers.ts";

/** The details of anything on the platform: as Markdown for people, and as the platform answered. */
export class DetailsDocuments {
  readonly #connections: Connections;

  constructor({ connections }: { readonly connections: Connections }) {
    this.#connections = connections;
  }

  async markdown(address: DocumentAddress): Promise<string> {
    const resource = detailsResource(address);
    const details = await this.#read(resource);
    const page = resourcePage(this.#connections.tenant(resource.tenantId), resource);
    const web = page === undefined ? undefined : ({ type: "web", label: page, address: page } as const);
    const lines = [...details.lines, [vscode.l10n.t("Page"), web] as const];
    return detailsMarkdown(
      { ...details, lines },
      {
        name: resource.name,
        translate: vscode.l10n.t,
        date: fullDate,
        // The same tenant's documents lie beside this one.
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
    const read = detailsReaders[resource.type];
    if (read === undefined) {
      throw new Error(vscode.l10n.t("There is nothing to read about {0}.", resource.name));
    }
    return read({ client, resource });
  }
}

/** From `/details/<key>/<title>` to another such path. */
function relativeLink(other: PlatformResource): string {
  const { path } = detailsUri(other, "details");
  return `../..${path.split("/").map(encodeURIComponent).join("/")}`;
}

function fullDate(value: string | number): string | undefined {
  const time = new Date(typeof value === "string" && /^\d{12,}$/.test(value) ? Number(value) : value);
  if (Number.isNaN(time.getTime())) {
    return undefined;
  }
  return new Intl.DateTimeFormat(vscode.env.language, {
    dateStyle: "medium",
    timeStyle: "long",
  }).format(time);
}
