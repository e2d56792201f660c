exports.run = async () => {
  throw new Error("one test failed");
};
