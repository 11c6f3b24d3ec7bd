export type { Variants } from "../../../src/simulator/answers/variants";
