import * as vscode from "vscode";
import type { JsonSchema } from "../../api/catalogue/body-schema.ts";

/** A body to start with. The API description doesn't define the members (4.2), so the user may need others. */
export const exampleBody = { enabled: true, schedule: "0 6 * * *", timeZone: "UTC" };

/** Completes and explains the members of the example. Requires none of them, and allows any others. */
export function bodySchema(): JsonSchema {
  const properties: Readonly<Record<keyof typeof exampleBody, JsonSchema>> = {
    enabled: { type: "boolean", description: vscode.l10n.t("False pauses the schedule.") },
    schedule: { type: "string", description: vscode.l10n.t("When the notebook runs, as a cron expression.") },
    timeZone: { type: "string", description: vscode.l10n.t("The time zone of the schedule, such as Europe/Berlin.") },
  };
  const description = vscode.l10n.t("An example. The platform may use other members for schedules.");
  return { type: "object", description, properties };
}
