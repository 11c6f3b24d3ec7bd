// Loaded later by the name of this file: see tools/build.cjs.
export * from "./phrases";
