// Dialogs, help and catalogues as they ship: without what only a reader of the
// sources needs. What an editor makes of them stays the same.
const { transformSync } = require("esbuild");

/** In the order in which they are tried: blanks count within all but the first two. */
const TOKENS = [
	/(?<open><style>|<script type="text\/javascript">)(?<code>[\s\S]*?)(?<close><\/(?:style|script)>)/,
	/(?<comment><!--[\s\S]*?-->)/,
	/<(?<kept>pre|textarea)\b[\s\S]*?<\/\k<kept>>/,
	/<\/?\w+(?:"[^"]*"|'[^']*'|[^'">])*>/,
];
const TOKEN = new RegExp(TOKENS.map(({ source }) => source).join("|"), "g");

function smallCode(code, loader) {
	const options = { loader, minify: true, target: "es2022" };
	return transformSync(code, options).code.trim();
}

const smallBlanks = (text) => text.replace(/\s*\n\s*/g, "\n");

/** HTML without comments and indentation, its style sheets and scripts made small. */
function smallHtml(html) {
	const parts = [];
	let end = 0;
	for (const { 0: token, index, groups } of html.matchAll(TOKEN)) {
		const { open, code, close, comment } = groups;
		parts.push(smallBlanks(html.slice(end, index)));
		if (open) {
			const loader = open === "<style>" ? "css" : "js";
			parts.push(open, smallCode(code, loader), close);
		} else if (!comment) {
			parts.push(token);
		}
		end = index + token.length;
	}
	parts.push(smallBlanks(html.slice(end)));
	return parts.join("").trim();
}

const SMALL = {
	".html": smallHtml,
	".json": (json) => JSON.stringify(JSON.parse(json)),
	".svg": smallHtml,
};

module.exports = { SMALL };
