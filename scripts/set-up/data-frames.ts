import { environmentPart } from "./virtual-environment.ts";

/** A Python with the libraries whose data frames the companion's program shows, for its tests. */
export const dataFrames = environmentPart({
  id: "data-frames",
  name: "the libraries of data frames",
  duration: "about 30 s, once",
  packages: ["numpy==2.4.6", "pandas==3.1.1", "polars==2.1.0", "pyarrow==26.0.1", "pytest==9.2.0"],
});
