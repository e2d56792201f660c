exports.run = () => new Promise(() => {});
