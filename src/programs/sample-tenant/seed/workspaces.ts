import { join } from "node:path";
import { type FileSet, writeFiles, writeRepeated } from "./files.ts";
import { userId } from "./organization.ts";
import { salesFiles } from "./sales-files.ts";
import {
  attributionFiles,
  churnFiles,
  financeFiles,
  inventoryFiles,
  namesFiles,
  payrollFiles,
  rFiles,
  supplyFiles,
} from "./small-workspace-files.ts";

/** A workspace of a new tenant. */
interface SampleWorkspace {
  readonly id: string;
  readonly configuration: Readonly<Record<string, unknown>>;
  readonly running: boolean;
  /** False for a workspace that requires a sign-in in the browser before it starts. */
  readonly handshakeDone: boolean;
  /** Writes the workspace's files into an empty folder, as they are at this time. */
  makeFiles(directory: string, now: Date): Promise<void>;
}

interface Description {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly kernel: string;
  readonly size?: { readonly cpu: number; readonly memory: number };
  readonly lastRun: string;
  readonly owner?: number;
  readonly running?: true;
  readonly handshake?: true;
  readonly files: FileSet | ((directory: string, now: Date) => Promise<void>);
}

const documentCount = 2000;
const largeFileSize = 60 * 1024 * 1024;

async function makeDocuments(directory: string): Promise<void> {
  const names = Array.from({ length: documentCount }, (_, index) => String(index + 1).padStart(4, "0"));
  await writeFiles(
    directory,
    Object.fromEntries(names.map((name) => [`document-${name}.txt`, `Document ${name}\n\nScanned and read.\n`])),
  );
}

async function makeReadings(directory: string): Promise<void> {
  await writeFiles(directory, { "README.md": "# Sensor readings\n\n`readings.csv` has 60 MB.\n" });
  const line = "2025-11-18T16:42:05Z,pump-07,21.4,1013.2,ok\n";
  await writeRepeated(join(directory, "readings.csv"), line, largeFileSize);
}

const descriptions: readonly Description[] = [
  {
    id: "4f7c21aa-90d3-4b6e-8a51-2e6d0b9f3c10",
    name: "Sales forecasting",
    description: "Sales by month and region, and what comes next",
    kernel: "PYTHON_3_12",
    size: { cpu: 1, memory: 8 },
    lastRun: "2025-11-18T16:42:05Z",
    running: true,
    files: (directory, now) => writeFiles(directory, salesFiles(now)),
  },
  {
    id: "b81e06d2-1c4f-47aa-9f0e-77c3a95d2e44",
    name: "R experiments",
    description: "Small analyses in R",
    kernel: "R_4_1",
    size: { cpu: 0.5, memory: 4 },
    lastRun: "2025-11-14T09:20:11Z",
    files: rFiles,
  },
  {
    id: "0c95d3fe-6a27-4f18-b3d2-81e94c70a5b6",
    name: "Customer churn",
    description: "Who leaves, and can it be predicted?",
    kernel: "PYTHON_3_11",
    size: { cpu: 2, memory: 16 },
    lastRun: "2025-11-17T13:05:42Z",
    files: churnFiles,
  },
  {
    id: "d27a4b80-3e91-4c5d-a6f8-5b10e2c94d73",
    name: "Marketing attribution",
    description: "Which channel brings customers",
    kernel: "PYTHON_3_12",
    size: { cpu: 1, memory: 8 },
    lastRun: "2025-11-12T07:31:00Z",
    files: attributionFiles,
  },
  {
    id: "71f3c6e9-b504-4a8e-9d1b-c02d7e68f435",
    name: "Finance close",
    description: "Requires a notebook sign-in in the browser before it starts",
    kernel: "PYTHON_3_12",
    size: { cpu: 1, memory: 8 },
    lastRun: "2025-11-03T18:00:27Z",
    handshake: true,
    files: financeFiles,
  },
  {
    id: "e5b8920c-47d6-4e3a-8c1f-6a94d3027b58",
    name: "Payroll analytics",
    description: "Owned by someone else and not shared with you",
    kernel: "PYTHON_3_11",
    size: { cpu: 1, memory: 8 },
    lastRun: "2025-10-30T10:12:55Z",
    owner: 270_031_566,
    files: payrollFiles,
  },
  {
    id: "3ad0f75b-8c12-4b69-a7e4-90f25c1d86e3",
    name: "Document archive",
    description: "2,000 files in one folder",
    kernel: "PYTHON_3_12",
    size: { cpu: 2, memory: 16 },
    lastRun: "2025-11-16T22:47:18Z",
    files: makeDocuments,
  },
  {
    id: "968e1b4d-f073-4d2c-b5a9-3c7e80d41f62",
    name: "Sensor readings",
    description: "One file of 60 MB",
    kernel: "PYTHON_3_12",
    size: { cpu: 8, memory: 64 },
    lastRun: "2025-11-15T05:03:39Z",
    files: makeReadings,
  },
  {
    id: "5e2c7d19-a48b-4f06-8e3d-b7190fc5a264",
    name: "Inventory planning",
    description: "A size that is no longer offered",
    kernel: "PYTHON_3_10",
    size: { cpu: 3, memory: 12 },
    lastRun: "2025-09-22T15:38:04Z",
    files: inventoryFiles,
  },
  {
    id: "c4619ea7-2d5f-4830-9b6c-1f8a07e3d592",
    name: "Supply chain network",
    description: "Routes and their costs",
    kernel: "PYTHON_3_9",
    size: { cpu: 4, memory: 32 },
    lastRun: "2025-10-08T11:56:30Z",
    files: supplyFiles,
  },
  {
    id: "8b30d5c1-e962-4a74-b01d-4e5c9f7a2683",
    name: "Names from everywhere",
    description: "File names with every character that must be encoded",
    kernel: "PYTHON_3_12",
    size: { cpu: 1, memory: 8 },
    lastRun: "2025-11-11T19:14:49Z",
    files: namesFiles,
  },
  {
    id: "f9174a3e-5bc8-4d10-86e7-2a0d6b93c5e1",
    name: "Scratch",
    description: "Empty, without a size",
    kernel: "PYTHON_3_12",
    lastRun: "2025-08-19T08:25:12Z",
    files: {},
  },
];

/** The 12 workspaces of a new tenant. */
export const sampleWorkspaces: readonly SampleWorkspace[] = descriptions.map((one, index) => ({
  id: one.id,
  configuration: {
    name: one.name,
    description: one.description,
    owner: one.owner ?? userId,
    coOwners: [],
    created: `2025-0${(index % 8) + 1}-02T08:15:30Z`,
    updated: one.lastRun,
    lastRun: one.lastRun,
    ...one.size,
    notebookKernel: one.kernel,
    timeoutHours: 8,
    activityBasedTimeout: true,
    sharingEnabled: false,
    sharingEnabledBy: null,
    sharingEnabledDate: null,
    bootstrapKernel: false,
    migrateFiles: false,
    inputConfiguration: index === 0 ? [{ alias: "sales", dataSourceId: "7a1d3b52-0f6c-4c19-8e57-d2b4a6c80e11" }] : [],
    outputConfiguration:
      index === 0
        ? [{ alias: "sales_clean", dataSourceId: "c0b9a871-55d2-4f2e-a3b6-19e7f48d2a90", streamId: 311 }]
        : [],
    accountConfiguration: index === 0 ? [{ account_id: 77, alias: "warehouse" }] : [],
    collectionConfiguration: [],
    fileshareConfiguration: [],
  },
  running: one.running ?? false,
  handshakeDone: one.handshake !== true,
  makeFiles: async (directory, now) => {
    const { files } = one;
    await (typeof files === "function" ? files(directory, now) : writeFiles(directory, files));
  },
}));
