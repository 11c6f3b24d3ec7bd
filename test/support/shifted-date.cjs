// Loaded before Node-RED: its clock is set as far from the real one as
// SOLAR_YIELD_TEST_SHIFT says, in ms.
const shift = Number(process.env.SOLAR_YIELD_TEST_SHIFT);
const RealDate = Date;

globalThis.Date = class ShiftedDate extends RealDate {
	constructor(...parts) {
		if (parts.length > 0) super(...parts);
		else super(ShiftedDate.now());
	}
	static now() {
		return RealDate.now() + shift;
	}
};
