import { apiExplorer } from "../features/api-explorer/index.ts";
import { appStudio } from "../features/app-studio/index.ts";
import { checkpoints } from "../features/checkpoints/index.ts";
import { codeEngine } from "../features/code-engine/index.ts";
import { companion } from "../features/companion/index.ts";
import { conflicts } from "../features/conflicts/index.ts";
import { dataExplorer } from "../features/data-explorer/index.ts";
import { datasets } from "../features/datasets/index.ts";
import { debugging } from "../features/debugging/index.ts";
import { designs } from "../features/designs/index.ts";
import { notebookExport } from "../features/export/index.ts";
import { frontDoor } from "../features/front-door/index.ts";
import { kernels } from "../features/kernels/index.ts";
import { languageFeatures } from "../features/language/index.ts";
import { languageModel } from "../features/language-model/index.ts";
import { navigation } from "../features/navigation/index.ts";
import { packages } from "../features/packages/index.ts";
import { pages } from "../features/pages/index.ts";
import { people } from "../features/people/index.ts";
import { ports } from "../features/ports/index.ts";
import { remoteSearch } from "../features/remote-search/index.ts";
import { resources } from "../features/resources/index.ts";
import { runs } from "../features/runs/index.ts";
import { sandbox } from "../features/sandbox/index.ts";
import { tenants } from "../features/tenants/index.ts";
import { terminals } from "../features/terminals/index.ts";
import { transfers } from "../features/transfers/index.ts";
import { variables } from "../features/variables/index.ts";
import { viewers } from "../features/viewers/index.ts";
import { workflows } from "../features/workflows/index.ts";
import { workspaces } from "../features/workspaces/index.ts";

/** The list of features. To add a feature, create its folder and add a line here. The manifest has the same order. */
export const features = [
  tenants,
  workspaces,
  checkpoints,
  conflicts,
  apiExplorer,
  navigation,
  remoteSearch,
  transfers,
  notebookExport,
  runs,
  viewers,
  dataExplorer,
  kernels,
  languageFeatures,
  variables,
  debugging,
  terminals,
  ports,
  companion,
  resources,
  packages,
  designs,
  pages,
  sandbox,
  workflows,
  codeEngine,
  appStudio,
  people,
  datasets,
  frontDoor,
  languageModel,
] as const;
