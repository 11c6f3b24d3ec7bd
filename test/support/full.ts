/** Whether the long forms of tests run: `npm run test:full`, `npm run test:faults`. */
export const isFull = process.env.SOLAR_YIELD_FULL === "1";
