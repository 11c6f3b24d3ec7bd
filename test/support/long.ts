/** Whether the long forms of tests run: `npm run test:full -- --long`. */
export const isLong = process.env.SOLAR_YIELD_LONG === "1";
