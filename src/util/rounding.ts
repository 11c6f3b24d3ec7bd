/** To a thousandth, so that sums of written powers stay exact; never -0. */
export const milli = (value: number): number =>
	Math.round(value * 1000) / 1000 + 0;

/** To a millionth, for W, kWh and percent: further digits are noise of sums; never -0. */
export const micro = (value: number): number =>
	Math.round(value * 1e6) / 1e6 + 0;
