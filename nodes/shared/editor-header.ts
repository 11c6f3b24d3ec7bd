/**
 * Header that the dialogs send with each request: a form, a link or an image of a web page
 * cannot. It names the editor's language.
 */
export const EDITOR_HEADER = "X-Solar-Yield-Editor";
