import type { Request } from "express";
import { type Language, languageFor } from "../../src/util/language";
import { EDITOR_HEADER } from "./editor-header";

/** The language of the editor that asks, as far as there are texts in it. */
export const editorLanguage = (request: Request): Language =>
	languageFor(request.get(EDITOR_HEADER));
