import { datasetRows, readQuery } from "./dataset-rows.ts";
import { owner, userId } from "./organization.ts";
import { Random } from "./random.ts";

type Entry = Readonly<Record<string, unknown>>;

const founded = "2025-10-02T08:15:30Z";
const changed = "2025-11-18T16:42:05Z";

interface Dataset {
  readonly id: string;
  readonly name: string;
  /** Columns as `Name TYPE`. */
  readonly columns: readonly string[];
}

const others = ["customers", "shipments", "web_sessions", "inventory", "budget", "sensor_readings"];

/** The datasets of the tenant. The first two are the input and the output of the sales workspace. */
const datasets: readonly Dataset[] = [
  {
    id: "7a1d3b52-0f6c-4c19-8e57-d2b4a6c80e11",
    name: "sales",
    columns: ["Region STRING", "Month DATE", "Amount DOUBLE", "Orders LONG"],
  },
  {
    id: "c0b9a871-55d2-4f2e-a3b6-19e7f48d2a90",
    name: "sales_clean",
    columns: ["Region STRING", "Month DATE", "Amount DOUBLE"],
  },
  ...others.map((name) => ({
    id: new Random(`dataset ${name}`).uuid(),
    name,
    columns: ["Id LONG", "Name STRING", "Updated DATETIME"],
  })),
];

function dataset(id: string): Dataset | undefined {
  return datasets.find((one) => one.id === id);
}

function columnsOf({ columns }: Dataset): readonly Entry[] {
  return columns.map((column, order) => {
    const [name = "", type = ""] = column.split(" ");
    return { id: name, name, type, visible: true, upsertKey: order === 0, order, tags: [] };
  });
}

export function datasetSchemaEntry(id: string): Entry | undefined {
  const found = dataset(id);
  return found === undefined ? undefined : { tables: [{ columns: columnsOf(found) }] };
}

/**
 * The result of a query on a dataset: undefined if there is no such dataset, and the reason if the sample tenant can't run the
 * query.
 */
export function datasetQueryEntry(id: string, sql: string): Entry | { readonly refused: string } | undefined {
  const found = dataset(id);
  if (found === undefined) {
    return undefined;
  }
  const query = readQuery(sql);
  if (query === undefined) {
    return { refused: "The sample tenant supports only SELECT columns FROM table LIMIT number OFFSET number." };
  }
  const all = columnsOf(found).map(({ name }) => String(name));
  const columns = query.columns ?? all;
  const unknown = columns.find((name) => !all.includes(name));
  if (unknown !== undefined) {
    return { refused: `Column ${unknown} not found` };
  }
  const rows = datasetRows(found.name, found.columns)
    .slice(query.offset, query.offset + query.limit)
    .map((row) => columns.map((name) => row[all.indexOf(name)]));
  const metadata = columns.map((name) => ({ type: found.columns[all.indexOf(name)]?.split(" ")[1] }));
  return {
    datasource: id,
    columns,
    metadata,
    rows,
    numRows: rows.length,
    numColumns: columns.length,
  };
}

export function datasetPermissionsEntry(id: string): Entry | undefined {
  if (dataset(id) === undefined) {
    return undefined;
  }
  const { id: owningUser, displayName } = owner();
  const list = [
    { type: "USER", id: String(owningUser), accessLevel: "OWNER", name: displayName },
    { type: "USER", id: String(owner(1).id), accessLevel: "CAN_EDIT", name: owner(1).displayName },
    { type: "GROUP", id: "31", accessLevel: "CAN_VIEW", name: "Analysts" },
  ];
  return { list, totalUserCount: 2, totalGroupCount: 1 };
}

/** The dataflows that read or write a dataset. */
export function datasetDataflowEntries(id: string): readonly Entry[] | undefined {
  const found = dataset(id);
  if (found === undefined) {
    return undefined;
  }
  const flow = {
    id: 912,
    dapDataFlowId: "0b5b8f62",
    name: "Clean sales",
    description: "",
    responsibleUserId: userId,
    owner: String(userId),
    databaseType: "MAGIC",
    enabled: true,
    draft: false,
    deleted: false,
    tags: [],
    actions: datasets.slice(0, 2).map(({ id: dataSourceId, name }, index) => ({
      id: `a${index + 1}`,
      type: index === 0 ? "LoadFromVault" : "PublishToVault",
      name,
      dataSourceId,
    })),
    triggerSettings: { triggers: [] },
    created: Date.parse(founded),
  };
  return found.name.startsWith("sales") ? [flow] : [];
}

export function dataPolicyEntries(id: string): readonly Entry[] | undefined {
  const found = dataset(id);
  return found?.name === "sales"
    ? ["North", "South", "West"].map((region, order) => ({
        filterGroupId: 12_345 + order,
        name: `${region} only`,
        dataSourceId: id,
        type: "user",
        policySetId: 1,
        order,

        groupIds: [31 + order],
        userIds: [userId + 1 + order],
        virtualUserIds: [],
        dataSourcePermissions: false,
        parameters: [
          { name: "Region", type: "COLUMN", operator: "EQUALS", values: [region], ignoreCase: false, not: false },
        ],
      }))
    : found && [];
}

/** Streams 311 and higher. Each fills one dataset. */
export function streamEntry(id: string): Entry | undefined {
  const number = Number(id);
  const filled = datasets[number - 310];
  if (filled === undefined || !/^\d+$/.test(id) || number < 311) {
    return undefined;
  }
  return {
    id: number,
    valid: true,
    updateMethod: "REPLACE",
    transport: { type: "CONNECTOR", description: "", version: 1 },
    dataProvider: { id: 9, key: "json5", name: "JSON" },
    account: { id: 77, displayName: "Warehouse", userId },
    dataSource: { id: filled.id, name: filled.name, description: "" },
    schemaDefinition: { columns: columnsOf(filled) },
    configuration: [
      { category: "METADATA", name: "report", type: "string", value: `report-${filled.name}` },
      { category: "METADATA", name: "accessKey", type: "string", value: "sample-access-key-0123456789" },
    ],
    scheduleExpression: "0 28 23 * * ?",
    scheduleState: "ACTIVE",
    advancedScheduleJson: JSON.stringify({ type: "DAY", at: "11:28 PM", timezone: "UTC" }),
    scheduleStartDate: null,
    scheduleRetryCount: 0,
  };
}

const charts = ["badge_vert_bar", "badge_line", "badge_pie", "badge_table"];

/** Cards 90210 and higher: 40 cards. */
export function cardEntry(id: string): Entry | undefined {
  const index = Number(id) - 90_210;
  if (!/^\d+$/.test(id) || index < 0 || index >= 40) {
    return undefined;
  }
  const source = datasets[index % datasets.length];
  return {
    id: Number(id),
    urn: id,
    type: "kpi",
    title: `${source?.name} by month`,
    description: "",
    certification: null,

    metadata: { chartType: charts[index % charts.length] },
    datasources: [{ dataSourceId: source?.id, displayType: "excel", providerType: "excel" }],
    owners: [owner(index)],
    isFederated: false,
  };
}

/** A fileset; some of its strings are null. */
export function filesetEntry(id: string): Entry | undefined {
  const index = ["fs-1", "fs-2", "fs-3"].indexOf(id);
  if (index < 0) {
    return undefined;
  }
  return {
    id,
    name: ["Manuals", "Contracts", "Photos"][index],
    description: index === 0 ? null : "Scanned",
    aiEnabled: true,

    batchType: "INCREMENTAL",
    connector: "INTERNAL",
    connectorContext: null,
    created: founded,
    createdBy: userId,
    updated: changed,
    updatedBy: userId,
    owner: String(userId),
    accountId: 0,
    permission: "OWNER",
    indexStatus: null,
    size: null,
  };
}

export function datastoreEntries(): readonly Entry[] {
  return ["Orders store", "Survey answers", "App settings"].map((name, index) => ({
    id: `ds-${index + 1}`,
    name,
    owner: userId + index,
    temporary: index === 2,
    createdOn: founded,
    updatedOn: changed,
    updatedBy: userId,
  }));
}

export function applicationEntries(): readonly Entry[] {
  return ["Toolkit", "Remote loader"].map((name, index) => ({
    applicationId: `app-${index + 1}`,
    customerId: "cust-1",
    name,
    description: "",
    version: `1.${index + 3}.0`,
    executionClass: "JOB",
    authorities: [],
    internalAuthorities: [],
    imageLocation: null,
    k8s: true,
    resources: {},
    strictValidation: false,
    verifyOwnership: true,
    created: founded,
    updated: changed,
  }));
}
