// What times the one call of a process: the thread's own time, whose steps are too
// coarse for a small answer.
const threadMs = require("./thread-time.cjs");

const SMALL = 1_000_000;

module.exports = (text) =>
	text.length < SMALL ? () => performance.now() : threadMs;
