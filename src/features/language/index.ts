import * as vscode from "vscode";
import { lazy } from "../../api/lazy.ts";
import { libraryScheme } from "../../tenants/library-uri.ts";
import { scheme } from "../../tenants/workspace-uri.ts";
import { defineFeature } from "../../ui/feature.ts";
import { type LanguageServices, language } from "./language-services.ts";

const editable: vscode.DocumentSelector = [
  { scheme, language },
  // With the type of a notebook, the editor compares the scheme with the notebook's, not with that of the cell.
  { scheme, notebookType: "jupyter-notebook", language },
];
const readable: vscode.DocumentSelector = [...editable, { scheme: libraryScheme, language }];

/** Completion, navigation, and problems of Python files and notebooks of workspaces, from their companions. */
export const languageFeatures = defineFeature({
  commands: {},
  create: (services: LanguageServices) => {
    const requests = lazy(async () => new (await import("./language-requests.ts")).LanguageRequests(services));
    const problems = lazy(async () => {
      const { Problems } = await import("./problems.ts");
      const loaded = new Problems(await requests(), services.companions);
      services.subscriptions.push(loaded);
      return loaded;
    });
    const update = (document: vscode.TextDocument): void => {
      if (isPython(document)) {
        void problems().then((loaded) => loaded.update(document));
      }
    };
    const languages = vscode.languages;
    const navigation = (): Promise<typeof import("./navigation.ts")> => import("./navigation.ts");
    const renaming = (): Promise<typeof import("./renaming.ts")> => import("./renaming.ts");
    const completion = (): Promise<typeof import("./completion.ts")> => import("./completion.ts");
    // A new registration makes the editor request the outline, which it did before the companion ran.
    let outline: vscode.Disposable | undefined;
    const registerOutline = (): void => {
      outline?.dispose();
      outline = languages.registerDocumentSymbolProvider(readable, {
        provideDocumentSymbols: async (document, token) =>
          (await navigation()).outlineOf(await requests(), document, token),
      });
    };
    registerOutline();
    return {
      disposables: [
        { dispose: () => outline?.dispose() },
        languages.registerCompletionItemProvider(
          editable,
          {
            provideCompletionItems: async (document, position, token, context) =>
              (await completion()).completionItems(await requests(), document, position, token, context),
            resolveCompletionItem: async (item, token) =>
              (await completion()).describedItem(await requests(), item, token),
          },
          ".",
          "/",
          "'",
          '"',
        ),
        languages.registerHoverProvider(readable, {
          provideHover: async (document, position, token) =>
            (await navigation()).hoverAt(await requests(), document, position, token),
        }),
        languages.registerSignatureHelpProvider(
          editable,
          {
            provideSignatureHelp: async (document, position, token) =>
              (await navigation()).signaturesAt(await requests(), document, position, token),
          },
          "(",
          ",",
        ),
        languages.registerDefinitionProvider(readable, {
          provideDefinition: async (document, position, token) =>
            (await navigation()).definitionAt(await requests(), document, position, token),
        }),
        languages.registerReferenceProvider(readable, {
          provideReferences: async (document, position, _context, token) =>
            (await navigation()).referencesAt(await requests(), document, position, token),
        }),
        languages.registerRenameProvider(editable, {
          prepareRename: async (document, position, token) =>
            (await renaming()).renamedPlace(await requests(), document, position, token),
          provideRenameEdits: async (document, position, newName, token) =>
            (await renaming()).renameEdit(await requests(), document, position, newName, token),
        }),
        languages.registerDocumentFormattingEditProvider(editable, {
          provideDocumentFormattingEdits: async (document, _options, token) =>
            (await import("./formatting.ts")).formattingEdits(await requests(), document, token),
        }),
        vscode.workspace.registerTextDocumentContentProvider(libraryScheme, {
          provideTextDocumentContent: async (uri, token) =>
            (await navigation()).librarySource(await requests(), uri, token),
        }),
        services.companions.onDidChange((place) => {
          if (services.companions.running(place) !== undefined) {
            registerOutline();
            vscode.workspace.textDocuments.forEach(update);
          }
        }),
        vscode.workspace.onDidChangeConfiguration((change) => {
          if (change.affectsConfiguration("platformWorkbench.languageFeatures")) {
            vscode.workspace.textDocuments.forEach(update);
          }
        }),
        vscode.workspace.onDidOpenTextDocument(update),
        vscode.workspace.onDidChangeTextDocument(({ document }) => update(document)),
        vscode.workspace.onDidCloseTextDocument((document) => {
          if (isPython(document)) {
            void problems().then((loaded) => loaded.close(document));
          }
        }),
      ],
    };
  },
});

function isPython({ languageId, uri }: vscode.TextDocument): boolean {
  return languageId === language && (uri.scheme === scheme || uri.scheme === "vscode-notebook-cell");
}
