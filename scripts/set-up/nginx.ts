import { delimiter, join } from "node:path";
import { aptInstall, isExecutable } from "./browser.ts";
import type { Part } from "./part.ts";

/** An nginx that tests start on a port and a configuration of their own. */
export interface Nginx {
  readonly executable: string;
}

const fixedPlaces = ["/usr/sbin/nginx", "/usr/local/sbin/nginx", "/opt/homebrew/bin/nginx"];

export const nginx: Part<Nginx> = {
  id: "nginx",
  name: "a load balancer (nginx)",
  duration: "about 10 s, once",
  remedy: "Install nginx (Debian: apt-get install nginx), or name one in the variable PLATFORM_WORKBENCH_NGINX.",

  async find() {
    const named = process.env.PLATFORM_WORKBENCH_NGINX;
    if (named !== undefined && named !== "") {
      if (await isExecutable(named)) return { executable: named };
      throw new Error(`PLATFORM_WORKBENCH_NGINX names ${named}, which is no program. Correct or unset it.`);
    }
    const onPath = (process.env.PATH ?? "").split(delimiter).map((directory) => join(directory, "nginx"));
    for (const executable of [...fixedPlaces, ...onPath]) {
      if (await isExecutable(executable)) return { executable };
    }
    return undefined;
  },

  async install(say) {
    await aptInstall(["nginx"], say);
  },
};
