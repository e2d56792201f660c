import { mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { type BrowserContext, chromium } from "playwright-core";
import { browser as browserPart } from "../../../scripts/set-up/browser.ts";
import { ready } from "../../../scripts/set-up/part.ts";
import { partsDirectory } from "../../../scripts/set-up/paths.ts";
import type { EditorServer } from "./server.ts";

/** What a window stores in its profile. The rest is a cache of the editor's code, which windows share. */
const storedByWindows = "cookies,file_systems,indexeddb,local_storage,service_workers,cache_storage";

/** Milliseconds for a window to disconnect from its extension host. A crashed window never does. */
const maxClosingMs = 10_000;

/** For windows that a window opens itself, too. */
const windowDefaults = { viewport: { width: 1280, height: 800 }, reducedMotion: "reduce" } as const;

const flags = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--disable-dev-shm-usage",
  // The browser caches the compiled code of a script after its first run (3 means without waiting for further runs), if
  // the script fits in its cache and isn't compiled while it is received. The editor's script has 20 MB.
  "--blink-settings=v8CacheOptions=3",
  "--disk-cache-size=500000000",
  // This replaces Playwright's own list, so it contains those features of it that concern pages and the network.
  `--disable-features=${[
    ...["BackgroundResourceFetch", "AvoidUnnecessaryBeforeUnloadCheckSync", "DestroyProfileOnBrowserClose"],
    ...["HttpsUpgrades", "HttpsFirstBalancedModeAutoEnable", "PaintHolding", "ThirdPartyStoragePartitioning"],
    ...["AvoidCorsURLLoaderRestartOnRedirect", "OptimizationHints", "NetworkTimeServiceQuerying"],
  ].join()}`,
];

/** A script that adds styles to a new document, also if its security policy allows no inline styles. */
export function styleScript(styles: string): string {
  return `{
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(${JSON.stringify(styles)});
    document.adoptedStyleSheets.push(sheet);
  }`;
}

/**
 * An endless animation, such as that of a running cell, makes the browser draw 60 frames per second, which takes a tenth of
 * the processor time of a window.
 */
const withoutAnimations = styleScript(
  "*, ::before, ::after { animation: none !important; transition: none !important }",
);

/** A browser profile without anything that earlier windows have stored. */
interface Profile {
  readonly context: BrowserContext;
  /** Closes its windows. */
  release(): Promise<void>;
}

/** Where a browser keeps its caches, below its user data directory. */
const caches = { profile: "Default", names: ["Cache", "Code Cache"] } as const;

/**
 * A browser for any number of windows. Each window has a new profile. Windows that are open one after the other share a
 * cache of the editor's compiled code, which saves a quarter of the processor time in which a window loads. Later
 * browsers for the same port share it, too.
 */
export class WindowBrowser {
  /** Its user data directory, which keeps its caches when it is closed. */
  readonly directory: string;
  readonly #cached: BrowserContext;
  readonly #taken = new Set<Profile>();

  private constructor(directory: string, cached: BrowserContext) {
    this.directory = directory;
    this.#cached = cached;
  }

  /** Starts a browser for windows of the server on this port. No other browser may use the port at the same time. */
  static async start({ port }: Pick<EditorServer, "port">): Promise<WindowBrowser> {
    const { executable } = await ready(browserPart);
    const directory = join(partsDirectory, "browser-caches", String(port));
    await removeAllButCaches(directory);
    try {
      const context = await chromium.launchPersistentContext(directory, {
        executablePath: executable,
        headless: true,
        ...windowDefaults,
        args: flags,
      });
      await context.addInitScript(withoutAnimations);
      return new WindowBrowser(directory, context);
    } catch (error) {
      await removeAllButCaches(directory);
      throw error;
    }
  }

  /** Returns a new profile for windows of the server at this origin. */
  async takeProfile(origin: string): Promise<Profile> {
    const isFree = [...this.#taken].every(({ context }) => context !== this.#cached);
    const context = isFree ? this.#cached : await this.#separate();
    const profile: Profile = {
      context,
      release: async () => {
        if (!this.#taken.has(profile)) return;
        await closePages(context);
        if (context !== this.#cached) await context.close();
        this.#taken.delete(profile);
      },
    };
    this.#taken.add(profile);
    if (isFree) await clearStored(context, origin);
    await context.grantPermissions(["clipboard-read", "clipboard-write"], { origin });
    return profile;
  }

  /** Closes all windows. */
  async closeWindows(): Promise<void> {
    for (const profile of this.#taken) await profile.release();
  }

  async close(): Promise<void> {
    await this.#cached.close();
    await removeAllButCaches(this.directory);
  }

  async #separate(): Promise<BrowserContext> {
    const browser = this.#cached.browser();
    if (browser === null) throw new Error("the browser has ended");
    const context = await browser.newContext(windowDefaults);
    await context.addInitScript(withoutAnimations);
    return context;
  }
}

async function removeAllButCaches(directory: string): Promise<void> {
  const profile = join(directory, caches.profile);
  await mkdir(profile, { recursive: true });
  const kept = [profile, ...caches.names.map((name) => join(profile, name))];
  for (const parent of [directory, profile]) {
    for (const name of await readdir(parent)) {
      const path = join(parent, name);
      if (!kept.includes(path)) await rm(path, { recursive: true, force: true, maxRetries: 5 });
    }
  }
}

async function clearStored(context: BrowserContext, origin: string): Promise<void> {
  const [first] = context.pages();
  if (first === undefined) throw new Error("the browser has lost its first page");
  const protocol = await context.newCDPSession(first);
  await protocol.send("Storage.clearDataForOrigin", { origin, storageTypes: storedByWindows });
  await protocol.detach();
}

async function closePages(context: BrowserContext): Promise<void> {
  for (const page of context.pages()) {
    // The first page of the browser, from which stored data is cleared. Without any page, the browser could end.
    if (page.url() === "about:blank") continue;
    // If the window only disappeared, its extension host would keep running and wait for a reconnection.
    await page.goto("about:blank", { timeout: maxClosingMs }).catch(() => {});
    await page.close();
  }
}
