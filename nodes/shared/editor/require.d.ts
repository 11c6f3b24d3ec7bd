// Named by src/texts/texts.ts, in whose place dialogs have texts.editor.ts.
declare function require(path: string): never;
