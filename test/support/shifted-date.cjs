// Loaded before Node-RED: its clock is set as far from the real one as
// SOLAR_YIELD_TEST_SHIFT says, in ms; or as the file of SOLAR_YIELD_TEST_SHIFT_FILE
// says now, so that it can be set while it runs.
const { readFileSync } = require("node:fs");

const { SOLAR_YIELD_TEST_SHIFT, SOLAR_YIELD_TEST_SHIFT_FILE } = process.env;
const RealDate = Date;

const shift = SOLAR_YIELD_TEST_SHIFT_FILE
	? () => Number(readFileSync(SOLAR_YIELD_TEST_SHIFT_FILE, "utf8"))
	: () => Number(SOLAR_YIELD_TEST_SHIFT);

globalThis.Date = class ShiftedDate extends RealDate {
	constructor(...parts) {
		if (parts.length > 0) super(...parts);
		else super(ShiftedDate.now());
	}
	static now() {
		return RealDate.now() + shift();
	}
};
