import * as vscode from "vscode";
import { type ListingOptions, listRecursively } from "../../api/content-server/listing.ts";
import { knownDate } from "../../file-system/versions/content-version.ts";
import { errorText } from "../../tenants/error-text.ts";
import { scheme, uriOf } from "../../tenants/workspace-uri.ts";
import { signalOf } from "../../ui/commands/cancellation.ts";
import type { EditorTool } from "./editor-tool.ts";
import {
  type EditorToolParts,
  openRemoteFiles,
  placesAtHand,
  placesNamed,
  placeText,
  type RemotePlace,
  remoteUri,
  selectedPlaces,
  selectedResources,
} from "./remote-places.ts";
import { shownText } from "./shown-text.ts";
import type { ToolInput } from "./tool-declarations.ts";

const maxFiles = 100;
const maxSelectionLength = 4_000;

/** Finds remote files by part of their path. */
export function findFilesTool(parts: EditorToolParts): EditorTool<ToolInput<"platform_find_files">> {
  const where = (workspace: string | undefined): string =>
    workspace ??
    placesAtHand(parts)
      .map((place) => nameOf(parts, place))
      .join(", ");
  return {
    confirmation: ({ query, workspace }) => ({
      title: vscode.l10n.t("Find Workspace Files"),
      message: vscode.l10n.t(
        'Find files with "{0}" in their path in these workspaces: {1}.',
        shownText(query),
        shownText(where(workspace)) || "–",
      ),
    }),
    progress: ({ query }) => vscode.l10n.t('Searching for "{0}"', query),
    async run({ query, workspace, ...listing }, token) {
      const signal = signalOf(token);
      const places = workspace === undefined ? placesAtHand(parts) : await placesNamed(parts, workspace, signal);
      if (places.length === 0) {
        throw new Error(
          workspace === undefined
            ? vscode.l10n.t("No workspace is open or selected. Specify a workspace.")
            : vscode.l10n.t('The workspace "{0}" doesn\'t exist.', workspace),
        );
      }
      const found: object[] = [];
      const problems: string[] = [];
      for (const place of places) {
        try {
          found.push(...(await matchesIn(parts, place, query, { ...listingOptionsOf(listing), signal })));
        } catch (error) {
          if (token.isCancellationRequested) {
            throw new vscode.CancellationError();
          }
          problems.push(errorText(error));
        }
      }
      if (found.length === 0 && problems.length > 0) {
        throw new Error(problems.join(" "));
      }
      return {
        files: found.slice(0, maxFiles),
        ...(found.length > maxFiles ? { more: found.length - maxFiles } : {}),
        ...(problems.length > 0 ? { problems } : {}),
      };
    },
  };
}

type ListingChoices = Omit<ToolInput<"platform_find_files">, "query" | "workspace">;

function listingOptionsOf({ folder, ignoreFolders, fileTypes, recursive, hidden }: ListingChoices): ListingOptions {
  return {
    contentPath: folder ?? "",
    ignoreFolders: ignoreFolders ?? [],
    ...(fileTypes === undefined ? {} : { includedFileTypes: fileTypes }),
    isRecursive: recursive ?? true,
    excludeHidden: hidden !== true,
  };
}

async function matchesIn(
  parts: EditorToolParts,
  place: RemotePlace,
  query: string,
  options: ListingOptions,
): Promise<readonly object[]> {
  const { tenantId, workspaceId } = place;
  const client = await parts.connections.content(tenantId, workspaceId);
  const items = await listRecursively(client, options);
  const wanted = query.toLowerCase();
  return items
    .filter(({ type, path }) => type !== "directory" && path.toLowerCase().includes(wanted))
    .map(({ path, type, size, last_modified: lastModified }) => ({
      path,
      type,
      size: size ?? undefined,
      lastModified: knownDate(lastModified),
      workspace: nameOf(parts, place),
      uri: uriOf(tenantId, workspaceId, path).toString(),
    }));
}

/** Opens a remote file in the user's editor. */
export function openFileTool(parts: EditorToolParts): EditorTool<ToolInput<"platform_open_file">> {
  return {
    confirmation: ({ uri }) => ({
      title: vscode.l10n.t("Open Workspace File"),
      message: vscode.l10n.t("Open {0} in the editor.", shownText(placeText(parts, remoteUri(uri)))),
    }),
    progress: ({ uri }) => vscode.l10n.t("Opening {0}", placeText(parts, remoteUri(uri))),
    async run({ uri: text }) {
      const uri = remoteUri(text);
      // For a file that does not exist, `vscode.open` would show an empty editor instead of an error.
      await vscode.workspace.fs.stat(uri);
      await vscode.commands.executeCommand("vscode.open", uri, { preview: false });
      return { opened: uri.toString() };
    },
  };
}

/** Lists the selected rows, the open remote files, and the selection in the active file. */
export function listSelectionTool(parts: EditorToolParts): EditorTool<ToolInput<"platform_list_selection">> {
  return {
    confirmation: () => ({
      title: vscode.l10n.t("List Selection"),
      message: vscode.l10n.t(
        "Give the model the selected rows of the Platform views, the open workspace files, and the selection in the active file.",
      ),
    }),
    progress: () => vscode.l10n.t("Listing the selection"),
    run: async () => ({
      workspaces: selectedPlaces(parts).map((place) => ({ ...place, name: nameOf(parts, place) })),
      selectedRows: selectedResources(parts),
      openFiles: openRemoteFiles().map((uri) => uri.toString()),
      ...active(parts),
    }),
  };
}

function active(parts: EditorToolParts): object {
  const notebook = vscode.window.activeNotebookEditor;
  if (notebook !== undefined && notebook.notebook.uri.scheme === scheme) {
    const { uri, isDirty } = notebook.notebook;
    const cells = notebook.selections.flatMap(({ start, end }) =>
      Array.from({ length: end - start }, (_, offset) => start + offset),
    );
    return { active: { uri: uri.toString(), file: placeText(parts, uri), isDirty, selectedCells: cells } };
  }
  const text = vscode.window.activeTextEditor;
  if (text === undefined || text.document.uri.scheme !== scheme) {
    return {};
  }
  const { document, selection } = text;
  return {
    active: {
      uri: document.uri.toString(),
      file: placeText(parts, document.uri),
      isDirty: document.isDirty,
      selectedLines: { from: selection.start.line + 1, to: selection.end.line + 1 },
      selectedText: document.getText(selection).slice(0, maxSelectionLength),
    },
  };
}

function nameOf({ connections }: EditorToolParts, { tenantId, workspaceId }: RemotePlace): string {
  return connections.nameOf(tenantId, workspaceId);
}
