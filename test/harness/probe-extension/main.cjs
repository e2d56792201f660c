// A small extension whose conditions the editor rewrites, and in whose place the suites next to it run.
exports.activate = () => {};
