import { userId } from "./organization.ts";

type Entry = Readonly<Record<string, unknown>>;

interface SampleFunction {
  readonly name: string;
  readonly description: string;
  /** Parameters as `name type`; optional ones end with `?`. */
  readonly inputs: readonly string[];
  /** The type of the result. */
  readonly output: string;
}

interface SamplePackage {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly language: "JAVASCRIPT" | "PYTHON";
  readonly functions: readonly SampleFunction[];
  readonly code: string;
}

const founded = "2025-10-02T08:15:30Z";
const changed = "2025-11-18T16:42:05Z";

const packages: readonly SamplePackage[] = [
  {
    id: "ce-1",
    name: "Mail tools",
    description: "Texts for the mails that workflows send.",
    language: "JAVASCRIPT",
    functions: [
      { name: "run", description: "The text of a mail.", inputs: ["recipient text", "subject text?"], output: "text" },
      { name: "ask", description: "A question as a mail.", inputs: ["question text"], output: "text" },
    ],
    code: `/** The text of a mail. */
function run(recipient, subject) {
  console.log("A mail to " + recipient);
  return "To: " + recipient + "\\nSubject: " + (subject || "No subject");
}

/** A question as a mail. */
function ask(question) {
  return run("owner@example.com", question.endsWith("?") ? question : question + "?");
}

module.exports = { run, ask };
`,
  },
  {
    id: "ce-2",
    name: "Text cleaning",
    description: "Removes what does not belong into a text.",
    language: "PYTHON",
    functions: [
      { name: "run", description: "The text without double spaces.", inputs: ["text text"], output: "text" },
      { name: "ask", description: "The text as a question.", inputs: ["text text"], output: "text" },
    ],
    code: `def run(text):
    return " ".join(text.split())


def ask(text):
    return run(text).rstrip(".") + "?"
`,
  },
  {
    id: "ce-3",
    name: "Exchange rates",
    description: "Converts amounts with fixed rates.",
    language: "JAVASCRIPT",
    functions: [
      {
        name: "run",
        description: "An amount in another currency.",
        inputs: ["amount number", "currency text"],
        output: "number",
      },
      { name: "ask", description: "The rates by currency.", inputs: [], output: "object" },
    ],
    code: `const rates = { EUR: 1, USD: 1.08, JPY: 163.5 };

/** An amount in another currency. */
function run(amount, currency) {
  const rate = rates[currency];
  if (rate === undefined) {
    throw new Error("There is no rate for " + currency + ".");
  }
  return Math.round(amount * rate * 100) / 100;
}

/** The rates by currency. */
function ask() {
  return rates;
}

module.exports = { run, ask };
`,
  },
];

/** The number of versions of a package: one more for each following package. Only the first is released. */
function versionsOf(own: SamplePackage): readonly string[] {
  return Array.from({ length: packages.indexOf(own) + 1 }, (_, number) => `1.0.${number}`);
}

/** All packages as the platform lists them. */
export function codeEnginePackageEntries(): readonly Entry[] {
  return packages.map((own) => ({
    id: own.id,
    name: own.name,
    description: own.description,
    language: own.language,
    environment: "LAMBDA",
    availability: "PRIVATE",
    owner: String(userId),
    packageSource: "CUSTOM",
    createdOn: founded,
    updatedOn: changed,
    users: [],
    versions: versionsOf(own).map((version, number) => ({
      version,
      description: "",
      released: number === 0 ? founded : null,
      createdBy: String(userId),
      functions: own.functions.map(functionEntry),
      configuration: { accountsMapping: [], externalPackageMapping: {}, mlModel: [] },
    })),
  }));
}

/** A version with its functions and source; undefined if there is none. */
export function codeEngineVersionEntry(packageId: string, version: string): Entry | undefined {
  const own = packages.find(({ id }) => id === packageId);
  const number = own === undefined ? -1 : versionsOf(own).indexOf(version);
  return own === undefined || number < 0
    ? undefined
    : {
        packageId,
        version,
        description: "",
        language: own.language,
        released: number === 0 ? founded : null,
        createdBy: String(userId),
        createdOn: founded,
        updatedBy: String(userId),
        updatedOn: changed,
        functions: own.functions.map(functionEntry),
        code: own.code,
        configuration: { accountsMapping: [], externalPackageMapping: {}, mlModel: [] },
      };
}

function functionEntry({ name, description, inputs, output }: SampleFunction): Entry {
  return {
    name,
    displayName: name,
    description,
    isPrivate: false,
    inputs: inputs.map((input) => {
      const [parameter = "", type = "text"] = input.split(" ");
      return valueEntry(parameter, type.replace("?", ""), type.endsWith("?"));
    }),
    output: valueEntry("result", output, false),
  };
}

function valueEntry(name: string, type: string, nullable: boolean): Entry {
  return { name, displayName: name, type, nullable, isList: false, children: null, entitySubType: null, value: null };
}
