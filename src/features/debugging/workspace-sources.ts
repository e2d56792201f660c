import * as vscode from "vscode";
import { nameOf } from "../../api/catalogue/content-path.ts";
import type { EditorSource, EditorSources } from "../../api/debugging/editor-sources.ts";
import type { CompanionPlace } from "../../tenants/companions.ts";
import { libraryOf, libraryScheme, libraryUri } from "../../tenants/library-uri.ts";
import { addressOf, scheme, uriOf } from "../../tenants/workspace-uri.ts";

/** The sources of any session: the files of its workspace, and the libraries of the server. */
export class WorkspaceSources implements EditorSources {
  readonly #place: CompanionPlace;

  constructor(place: CompanionPlace) {
    this.#place = place;
  }

  find(address: string): EditorSource | undefined {
    const uri = vscode.Uri.parse(address);
    if (uri.scheme === scheme) {
      const { path, ...place } = addressOf(uri);
      return this.#isHere(place) ? { kind: "workspace", path } : undefined;
    }
    const library = uri.scheme === libraryScheme ? libraryOf(uri) : undefined;
    return library !== undefined && this.#isHere(library.place) ? { kind: "library", path: library.path } : undefined;
  }

  addressOf(...[source]: Parameters<EditorSources["addressOf"]>): ReturnType<EditorSources["addressOf"]> {
    const { tenantId, workspaceId } = this.#place;
    switch (source.kind) {
      case "cell":
        return undefined;
      case "workspace":
        return { path: uriOf(tenantId, workspaceId, source.path).toString(), name: nameOf(source.path) };
      case "library": {
        const uri = libraryUri(this.#place, source.path);
        return { path: uri.toString(), name: nameOf(uri.path) };
      }
    }
  }

  #isHere({ tenantId, workspaceId }: CompanionPlace): boolean {
    return tenantId === this.#place.tenantId && workspaceId === this.#place.workspaceId;
  }
}
