/** The only user of the sample tenant. */
export const userId = 481_516_234;

/** The user's segment in content-server paths. */
export const namespace = `acme-dev-${userId}`;

/** A person of the sample tenant. */
interface Person {
  readonly id: number;
  readonly name: string;
  /** The role in the tenant, as in entries of owners. */
  readonly role: "Admin" | "Privileged" | "Editor" | "Participant";
  readonly roleId: number;
}

const roles = { Admin: 1, Privileged: 2, Editor: 3, Participant: 4 } as const;

function person(id: number, name: string, role: Person["role"]): Person {
  return { id, name, role, roleId: roles[role] };
}

/** The owner of the tenant's token comes first. */
export const people: readonly [Person, ...Person[]] = [
  person(userId, "Ada Example", "Admin"),
  person(481_516_235, "Ben Sample", "Privileged"),
  person(481_516_236, "Chloé Muster", "Editor"),
  person(481_516_237, "Dmitri Образец", "Editor"),
  person(481_516_238, "Emi 見本", "Participant"),
  person(481_516_239, "Femi Alabi", "Privileged"),
  person(481_516_240, "Grace Lindqvist", "Participant"),
  person(481_516_241, "Hugo Peña", "Editor"),
  person(270_031_566, "Ines Okafor", "Admin"),
];

/** The person with this id, or a person without a name if the id is unknown. */
export function personOf(id: number): Person {
  return people.find((one) => one.id === id) ?? person(id, `User ${id}`, "Participant");
}

/** The email address with which a person signs in. */
export function emailOf(id: number): string {
  return `user${id}@example.com`;
}

type Entry = Readonly<Record<string, unknown>>;

/** When the tenant was created, in milliseconds: October 2, 2025, 08:15:30 UTC. */
const founded = Date.UTC(2025, 9, 2, 8, 15, 30);
const lastChange = Date.UTC(2025, 10, 18, 16, 42, 5);
const iso = (time: number): string => new Date(time).toISOString();

/** A person as an owner's entry. */
export function owner(index = 0): Entry {
  const { id, name } = people[index % people.length] ?? people[0];
  return { id, type: "USER", displayName: name };
}

const roleNames = ["Admin", "Privileged", "Editor", "Participant", "Social"];

export function userEntries(): readonly Entry[] {
  return people.map(({ id, name, role, roleId }, index) => ({
    id,
    displayName: name,
    userName: emailOf(id),
    emailAddress: emailOf(id),
    role,
    roleId,
    rights: 63,
    active: true,
    pending: false,
    accepted: true,
    anonymous: false,
    systemUser: false,
    userType: "USER",
    timeZone: index % 2 === 0 ? "Europe/Berlin" : "America/Denver",
    created: founded + index * 86_400_000,
    modified: lastChange,
    invitorUserId: userId,
  }));
}

export function roleEntries(): readonly Entry[] {
  return roleNames.map((name, index) => ({
    id: index + 1,
    name,
    description: index === 0 ? "Full access" : `Rights of the role ${name}`,
    authorityCount: 104 - index * 20,
    userCount: people.filter(({ roleId }) => roleId === index + 1).length,
    created: founded,
    modified: founded,
  }));
}

/** Subjects of grants and the possible actions on each; together, they form the grants. */
const subjects: readonly (readonly [string, readonly string[]])[] = [
  ["content.page", ["Create pages", "Edit pages", "Move pages", "Share pages"]],
  ["data.dataset", ["Create datasets", "Edit datasets", "Delete datasets", "Manage data policies"]],
  ["notebook.workspace", ["Create workspaces", "Start workspaces", "Share workspaces"]],
  ["version.repository", ["Administer sandbox", "Manage repositories", "Manage repository promotion"]],
  ["workflow.model", ["Create workflows", "Run workflows", "Manage triggers"]],
  ["apps.design", ["Create designs", "Release designs"]],
];

export function grantEntries(): readonly Entry[] {
  return subjects.flatMap(([subject, rights]) =>
    rights.map((title, index) => ({
      authority: `${subject}.${title.split(" ")[0]?.toLowerCase()}${index}`,
      title,
      description: `${title} of this instance`,
      authorityUIGroup: subject.split(".")[0]?.toUpperCase(),
      dependsOnAuthorities: [],
      dependsOnFeature: [],
      implicitAuthorities: [],
      roleIds: index === 0 ? [1, 2, 3] : [1],
      adminLevel: index > 1,
      assignableByCustomer: true,
      systemGroup: false,
      userCount: index === 0 ? people.length - 3 : 2,
    })),
  );
}

const groupNames = ["Analysts", "Finance", "Sales operations", "Supply chain", "Everybody"];

export function groupEntries(): readonly Entry[] {
  return groupNames.map((name, index) => {
    const members = name === "Everybody" ? people : people.filter((_, at) => at % (groupNames.length - 1) === index);
    const id = 31 + index;
    return {
      id,
      groupId: id,
      name,
      description: "",
      type: "open",
      groupType: "open",
      userIds: members.map((member) => member.id),
      owners: [{ id: userId, type: "USER" }],
      groupMembers: members.map((member) => ({ type: "USER", id: String(member.id) })),
      memberCount: members.length,
      created: founded,
      active: true,
      default: name === "Everybody",
    };
  });
}

const systems: readonly (readonly [string, string, Entry])[] = [
  ["Warehouse", "snowflake", { account: "acme-eu", username: "loader", privateKey: "sample-private-key-0123456789" }],
  ["Customer relations", "salesforce", { username: "sync@example.com", securityCode: "sample-security-code-0123" }],
  ["Web shop", "json5", { url: "https://shop.example.com/export", apiKey: "sample-api-key-0123456789" }],
  ["File drop", "sftp", { host: "files.example.com", username: "acme", password: "sample-password-0123456789" }],
];

export function accountEntries(): readonly Entry[] {
  return systems.map(([displayName, dataProviderType, configurations], index) => ({
    id: 77 + index,
    accountId: 77 + index,
    userId,
    name: displayName.toLowerCase(),
    displayName,
    type: "data",
    valid: index !== 3,
    dataProviderType,
    credentialsType: "fields",
    configurations,
    createdAt: founded + index * 3_600_000,
    createdBy: userId,
    modifiedAt: lastChange,
    modifiedBy: userId,
    accountTemplateId: null,
    accountTemplateAuthorizationId: null,
  }));
}

export function aiSettingsEntry(): Entry {
  const connectors = ["OPENAI", "ANTHROPIC", "BEDROCK"].map((key, index) => [
    key,
    { enabled: index === 1, modelHostType: key, name: key.charAt(0) + key.slice(1).toLowerCase() },
  ]);
  const settings = ["AGENT_MODEL_PROVIDER", "TEXT_MODEL_PROVIDER", "DATA_SHARING"].map((name) => [
    name,
    { name, displayName: "Built-in", value: "BUILT_IN", updated: iso(founded), updatedBy: userId },
  ]);
  return { connectors: Object.fromEntries(connectors), generalSettings: Object.fromEntries(settings) };
}

export function activityLogTypeEntries(): readonly Entry[] {
  const types = [
    "PAGE",
    "CARD",
    "DATA_SOURCE",
    "DATAFLOW",
    "ACCESS_TOKEN",
    "USER",
    "GROUP",
    "WORKFLOW_MODEL",
    "REPOSITORY",
  ];
  return types.map((type) => {
    const words = type.toLowerCase().replaceAll("_", " ");
    return { type, translation: words.charAt(0).toUpperCase() + words.slice(1) };
  });
}

export function publicationEntries(): readonly Entry[] {
  return [1, 2].map((number) => ({
    id: `pub-${number}`,
    name: number === 1 ? "Partner pages" : "Supplier scorecards",
    description: "",
    domain: "acme.example.com",
    type: "CONTENT",
    isV2: true,
    created: iso(founded),
    content: [{ id: `c${number}`, domoObjectId: String(1000 + number), type: "PAGE", domain: "acme.example.com" }],
    children: [],
    subscriptionAuthorizations: [
      { id: `sa${number}`, domain: "partner.example.com", publicationId: `pub-${number}`, created: iso(founded) },
    ],
    useDirectContent: false,
  }));
}
