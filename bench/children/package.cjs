// The built package, as nodes load it.
const { join } = require("node:path");
const dist = join(__dirname, "../../dist");
module.exports = (file) => require(join(dist, file));
