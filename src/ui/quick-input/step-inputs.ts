import * as vscode from "vscode";

/** What a step of a multi-step form gave. Giving up throws a CancellationError. */
export type StepResult<T> = { readonly type: "next"; readonly value: T } | { readonly type: "back" };

export interface StepPlace {
  readonly title: string;
  readonly step: number;
  readonly totalSteps: number;
}

export interface TextStep extends StepPlace {
  readonly prompt: string;
  readonly placeholder: string;
  readonly value: string;
  /** What is wrong with the typed text, or a remark about it; no request is made for this. */
  readonly validate: (text: string) => string | vscode.InputBoxValidationMessage | undefined;
}

/** One text, validated while it is typed. */
export function askText(options: TextStep): Promise<StepResult<string>> {
  const input = vscode.window.createInputBox();
  input.prompt = options.prompt;
  input.placeholder = options.placeholder;
  input.value = options.value;
  const check = (isAccepted: boolean): boolean => {
    const found = options.validate(input.value);
    const isMissing = input.value.trim() === "" && !isAccepted;
    input.validationMessage = isMissing ? undefined : found;
    return (
      found === undefined || (typeof found === "object" && found.severity === vscode.InputBoxValidationSeverity.Info)
    );
  };
  return runStep(input, options, (resolve) => {
    input.onDidChangeValue(() => check(false));
    input.onDidAccept(() => {
      if (check(true)) {
        resolve(input.value.trim());
      }
    });
  });
}

export interface ChoiceStep<T> extends StepPlace {
  readonly placeholder: string;
  readonly items: readonly (vscode.QuickPickItem & { readonly value: T })[];
  readonly isActive: (value: T) => boolean;
}

/** One of several choices. */
export function askChoice<T>(options: ChoiceStep<T>): Promise<StepResult<T>> {
  const pick = vscode.window.createQuickPick<vscode.QuickPickItem & { readonly value: T }>();
  pick.placeholder = options.placeholder;
  pick.items = options.items;
  const active = options.items.filter((item) => options.isActive(item.value));
  // Without one that was chosen before, the editor's own choice stands: the first.
  if (active.length > 0) {
    pick.activeItems = active;
  }
  return runStep(pick, options, (resolve) => {
    pick.onDidAccept(() => {
      const [chosen] = pick.selectedItems;
      if (chosen !== undefined) {
        resolve(chosen.value);
      }
    });
  });
}

/** Some of several choices, at least one. */
export function askSeveral<T>(options: ChoiceStep<T>): Promise<StepResult<readonly T[]>> {
  const pick = vscode.window.createQuickPick<vscode.QuickPickItem & { readonly value: T }>();
  pick.placeholder = options.placeholder;
  pick.canSelectMany = true;
  pick.items = options.items;
  pick.selectedItems = options.items.filter((item) => options.isActive(item.value));
  return runStep<readonly T[], T>(pick, options, (resolve) => {
    pick.onDidAccept(() => {
      if (pick.selectedItems.length > 0) {
        resolve(pick.selectedItems.map(({ value }) => value));
      }
    });
  });
}

function runStep<T, Item = T>(
  input: vscode.InputBox | vscode.QuickPick<vscode.QuickPickItem & { readonly value: Item }>,
  place: StepPlace,
  listen: (resolve: (value: T) => void) => void,
): Promise<StepResult<T>> {
  input.title = place.title;
  input.step = place.step;
  input.totalSteps = place.totalSteps;
  input.ignoreFocusOut = true;
  input.buttons = place.step > 1 ? [vscode.QuickInputButtons.Back] : [];
  return new Promise((resolve, reject) => {
    const finish = (result: StepResult<T>): void => {
      resolve(result);
      input.dispose();
    };
    input.onDidTriggerButton((button) => {
      if (button === vscode.QuickInputButtons.Back) {
        finish({ type: "back" });
      }
    });
    input.onDidHide(() => {
      reject(new vscode.CancellationError());
      input.dispose();
    });
    listen((value) => finish({ type: "next", value }));
    input.show();
  });
}
