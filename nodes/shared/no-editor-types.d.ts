/**
 * Stands for the editor's types, which those of Node-RED bring along: with them the
 * compiler would take `document` and `window` for things that the runtime has.
 */
export {};
