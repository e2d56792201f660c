import { type Action, type ActionRun, actions } from "./actions.ts";
import type { KernelFigures } from "./kernels.ts";
import type { KeyPressFigures } from "./key-press.ts";
import type { ListingFigures } from "./listing.ts";
import type { LookFigures } from "./look.ts";
import type { MainJobFigures } from "./main-job.ts";
import type { MemoryFigures } from "./memory.ts";
import type { ScaleFigures } from "./scale/row.ts";
import type { SizeFigures, StartFigures } from "./size.ts";
import type { TransferFigures } from "./transfers.ts";
import type { WorkspaceFigures } from "./workspace.ts";

/** The results of one run; a part that did not run is absent. */
export interface Figures {
  readonly size?: SizeFigures;
  readonly start?: StartFigures;
  readonly memory?: MemoryFigures;
  readonly transfers?: readonly TransferFigures[];
  readonly listing?: ListingFigures;
  /** By round trip in milliseconds. */
  readonly actions?: ReadonlyMap<number, ActionRun>;
  readonly mainJob?: MainJobFigures;
  readonly kernels?: KernelFigures;
  readonly keyPress?: KeyPressFigures;
  readonly workspace?: WorkspaceFigures;
  readonly look?: LookFigures;
  readonly scale?: readonly ScaleFigures[];
}

/** Parts for people that are not in the JSON. */
const shownOnly: ReadonlySet<Action> = new Set(["openNotebook", "saveNotebook"]);

/** The results for scripts: counts, ratios, bytes, and milliseconds. */
export function forScripts({
  size,
  start,
  memory,
  transfers,
  listing,
  actions: runs,
  kernels,
  keyPress,
  workspace,
  look,
  scale,
}: Figures): object {
  const nearest = runs?.get(0);
  const ratioOf = (action: TransferFigures["action"]): number | undefined =>
    transfers?.find((one) => one.action === action && one.bytes === 100_000_000)?.ratio;
  const [open100MB, save100MB] = [ratioOf("open"), ratioOf("save")];
  return {
    ...(nearest === undefined
      ? {}
      : {
          requests: Object.fromEntries(
            actions.filter((action) => !shownOnly.has(action)).map((action) => [action, nearest[action].requests]),
          ),
        }),
    ...(listing === undefined && open100MB === undefined
      ? {}
      : {
          ratios: {
            ...(listing === undefined ? {} : { recursiveListing: listing.ratio }),
            ...(open100MB === undefined ? {} : { open100MB }),
            ...(save100MB === undefined ? {} : { save100MB }),
          },
        }),
    ...(size === undefined ? {} : { size: { entryBytes: size.entryBytes, vsixBytes: size.vsixBytes } }),
    ...(start === undefined ? {} : { milliseconds: { load: start.load, activate: start.activate } }),
    ...(memory === undefined ? {} : { memory: { openNodes10k: memory.bytes } }),
    ...(kernels === undefined ? {} : { kernels: kernelsForScripts(kernels, keyPress) }),
    ...(workspace === undefined ? {} : { workspace: workspaceForScripts(workspace) }),
    ...(look === undefined ? {} : { look: lookForScripts(look) }),
    ...(scale === undefined
      ? {}
      : {
          scale: Object.fromEntries(
            scale.map(({ name, exponent, sizes, costs, longestBlock }) => [
              name,
              { exponent, sizes, costs, longestBlock },
            ]),
          ),
        }),
  };
}

function kernelsForScripts(figures: KernelFigures, keyPress: KeyPressFigures | undefined): object {
  const { firstOutput, stdoutRatio, clientBytes, connectRequests } = figures;
  const keyPressMilliseconds = keyPress?.max;
  return {
    firstOutput,
    stdoutRatio,
    keyPressMilliseconds,
    clientBytes,
    connectRequests,
  };
}

function lookForScripts({ variables }: LookFigures): object {
  return {
    variablesMilliseconds: variables.firstPage,
    filteredVariablesMilliseconds: variables.filtered,
    plainVariablesMilliseconds: variables.plain,
  };
}

function workspaceForScripts(figures: WorkspaceFigures): object {
  const { roundTrip, completion, definition, search5000, search100000, push, idleRequests, terminal, tunnel } = figures;
  return {
    roundTripMilliseconds: roundTrip,
    completionMilliseconds: completion.warm,
    firstCompletionMilliseconds: completion.first,
    plainCompletionMilliseconds: completion.plain.warm,
    definitionMilliseconds: definition,
    search5000Milliseconds: search5000.all,
    search5000ContentsMilliseconds: search5000.plain,
    search100000Milliseconds: search100000.all,
    search100000FirstMilliseconds: search100000.first,
    pushMilliseconds: push,
    idleRequests,
    terminalEchoExtraMilliseconds: terminal.echo.ours - terminal.echo.plain,
    terminalOutputRatio: terminal.output.ours / terminal.output.plain,
    tunnelRatio: tunnel.ratio,
    tunnelMegabytesPerSecond: tunnel.down.ours,
    tunnelUpMegabytesPerSecond: tunnel.up.ours,
    tunnelRequestMilliseconds: tunnel.request.ours,
    plainRequestMilliseconds: tunnel.request.plain,
    tunnel50ConnectionsMilliseconds: tunnel.connections.ours,
    plain50ConnectionsMilliseconds: tunnel.connections.plain,
  };
}
