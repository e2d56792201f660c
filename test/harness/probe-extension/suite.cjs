// A suite that ends in the way that PROBE_END names.
exports.run = async () => {
  console.log("the suite runs");
  if (process.env.PROBE_END === "reject") throw new Error("one test failed");
  if (process.env.PROBE_END === "crash") process.exit(7);
  if (process.env.PROBE_END === "hang") await new Promise(() => {});
};
