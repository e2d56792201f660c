// The results of the protocol's conformance suite by scenario: everything that needs no fixture passes.

/** The reason why this server can't pass a scenario, or a check of one. */
interface Reason {
  readonly reason: string;
  /** The message of each failed check of such a scenario. No failure has another message. */
  readonly says: RegExp;
}

/** The suite calls its own tools, which only a server written for it has. */
const fixture: Reason = {
  reason: "needs the suite's own tools",
  says: /This server has no such tool|^Tool '\w+' not found|^Not testable: server does not list|could not get initial|^Expected InputRequiredResult/,
};
const noFeature: Reason = {
  reason: "the server offers no prompts, resources, completions or log levels",
  says: /Method not found/,
};
const noSession: Reason = { reason: "the server is stateless: it has no sessions and resumes no streams", says: /^$/ };
const noTasks: Reason = {
  reason: "the extension for tasks is not offered",
  says: /This server has no such tool|^Not testable: no task|extensions MUST be advertised|-32601|code -32602; spec requires -32021|^routing-task fixture/,
};
const noHeaders: Reason = {
  reason: "no argument of a tool is to be sent as a header",
  says: /^Not testable: server exposes no tool with x-mcp-header/,
};

interface Inapplicable extends Reason {
  readonly scenarios: readonly string[];
}

interface PartlyApplicable extends Reason {
  readonly scenario: string;
  /** The checks that fail. All others pass. */
  readonly checks: readonly string[];
}

interface RevisionScenarios {
  readonly passed: readonly string[];
  readonly inapplicable: readonly Inapplicable[];
  readonly partly: readonly PartlyApplicable[];
}

const features = [
  ...["completion-complete", "resources-list", "resources-read-text", "resources-read-binary"],
  ...["resources-templates-read", "prompts-list", "prompts-get-simple", "prompts-get-with-args"],
  ...["prompts-get-embedded-resource", "prompts-get-with-image"],
];
const toolCalls = [
  ...["tools-call-simple-text", "tools-call-image", "tools-call-audio", "tools-call-embedded-resource"],
  ...["tools-call-mixed-content", "tools-call-error", "tools-call-with-progress", "json-schema-2020-12"],
];
const inputRequired = [
  ...["basic-elicitation", "basic-sampling", "basic-list-roots", "request-state", "multiple-input-requests"],
  ...["multi-round", "missing-input-response", "result-type", "tampered-state", "capability-check"],
  "ignore-extra-params",
].map((name) => `input-required-result-${name}`);
const tasks = [
  ...["lifecycle", "capability-negotiation", "wire-fields", "request-state-removal", "mrtr-input", "request-headers"],
  ...["dispatch-and-envelope", "status-notifications", "required-task-error", "mrtr-composition"],
].map((name) => `tasks-${name}`);

export const scenariosOf: Readonly<Record<"2026-07-28" | "2025-11-25", RevisionScenarios>> = {
  "2026-07-28": {
    passed: [
      ...["tools-list", "http-header-validation", "dns-rebinding-protection", "sep-2164-resource-not-found"],
      ...["server-sse-multiple-streams", "input-required-result-validate-input"],
      "input-required-result-unsupported-methods",
    ],
    inapplicable: [
      { ...fixture, scenarios: [...toolCalls, ...inputRequired] },
      { ...noFeature, scenarios: [...features, "input-required-result-non-tool-request"] },
      { ...noTasks, scenarios: tasks },
      { ...noHeaders, scenarios: ["http-custom-header-server-validation"] },
    ],
    partly: [
      {
        ...noFeature,
        scenario: "caching",
        checks: [
          ...["sep-2549-prompts-list-caching-hints", "sep-2549-resources-list-caching-hints"],
          "sep-2549-resources-templates-list-caching-hints",
        ],
      },
      {
        ...fixture,
        scenario: "server-stateless",
        checks: [
          ...["sep-2575-server-rejects-undeclared-capability", "sep-2575-missing-capability-http-400"],
          ...["sep-2575-http-server-no-independent-requests-on-stream", "sep-2575-server-no-log-without-loglevel"],
        ],
      },
    ],
  },
  "2025-11-25": {
    passed: ["server-initialize", "ping", "tools-list", "dns-rebinding-protection"],
    inapplicable: [
      {
        ...fixture,
        scenarios: [
          ...[...toolCalls, "tools-call-sampling", "tools-call-elicitation"],
          ...["elicitation-sep1034-defaults", "elicitation-sep1330-enums"],
        ],
      },
      {
        ...noFeature,
        scenarios: [
          ...[...features, "resources-subscribe", "resources-unsubscribe"],
          ...["logging-set-level", "tools-call-with-logging"],
        ],
      },
      {
        ...noSession,
        scenarios: ["server-session-lifecycle", "server-sse-polling", "server-sse-multiple-streams"],
      },
    ],
    partly: [],
  },
};
