// Loaded later by the name of this file: see tools/build.cjs.
export { isText, textIn } from "../../src/texts/texts";
