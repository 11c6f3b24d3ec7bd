// Writes the V1 parameter table, with the texts of the catalogues, into the
// node's help. Run it after a change of src/v1/parameters.ts or of a
// catalogue: node nodes/v1/write-help.cjs
const { readFileSync, writeFileSync } = require("node:fs");
const { join } = require("node:path");
require("tsx/cjs");
const { V1_PARAMETERS, V1_GROUPS } = require("../../src/v1/parameters");

const LANGUAGES = ["en-US", "de"];
const ENDPOINTS = 5;
const WORDS = {
	"en-US": {
		to: "to",
		atLeast: "at least",
		required: "required",
		default: "default",
	},
	de: {
		to: "bis",
		atLeast: "mindestens",
		required: "erforderlich",
		default: "Vorgabe",
	},
};
const TYPES = {
	number: "number",
	azimuth: "number",
	integer: "integer",
	boolean: "boolean",
};

const fileOf = (language, ending) =>
	join(__dirname, "locales", `${language}.${ending}`);

const escaped = (text) =>
	String(text).replaceAll("&", "&amp;").replaceAll("<", "&lt;");

/** What holds on some endpoints: bounds and unit, what a blank means, and where. */
function limitsText(limits, { unit }, words, units) {
	const { endpoints, min, max, required } = limits;
	const unitText = units[unit] ?? unit ?? "";
	const bounds =
		min === undefined
			? unitText
			: max === undefined
				? `${words.atLeast} ${min} ${unitText}`
				: `${min} ${words.to} ${max} ${unitText}`;
	const hasDefault = limits.default !== undefined && limits.default !== "";
	const blank = required
		? words.required
		: hasDefault
			? `${words.default} <code>${escaped(limits.default)}</code>`
			: "";
	const where = endpoints.length < ENDPOINTS && endpoints.join(", ");
	return [bounds.trim(), blank, where].filter(Boolean).join("; ");
}

function entry(parameter, meaning, words, units) {
	const { name, type, values, format, limits } = parameter;
	const isOptional = limits.some(({ required }) => !required);
	const form = values
		? ` <code>${values.join("</code>, <code>")}</code>.`
		: format
			? ` <code>${escaped(format)}</code>.`
			: "";
	const lines = limits
		.map((it) => limitsText(it, parameter, words, units))
		.filter((it) => it !== "");
	return `\t\t<dt${isOptional ? ' class="optional"' : ""}>${name} <span class="property-type">${TYPES[type] ?? "string"}</span></dt>
		<dd>${escaped(meaning)}.${form}${lines.map((it) => `<br>${it}`).join("")}</dd>`;
}

/** The help's list of all parameters, group by group. */
function parameterList(language) {
	const texts = JSON.parse(readFileSync(fileOf(language, "json"), "utf8"))[
		"solar-yield-v1"
	];
	return V1_GROUPS.map((group) => {
		const entries = V1_PARAMETERS.filter((it) => it.group === group).map((it) =>
			entry(it, texts.parameter[it.name], WORDS[language], texts.unit),
		);
		return `\t<h4>${texts.group[group]}</h4>
	<dl class="message-properties">
${entries.join("\n")}
	</dl>`;
	}).join("\n");
}

const PLACE = /(<!-- parameters -->\n)[\s\S]*(\t<!-- end of parameters -->)/;

/** A help file with the list of this table in its place. */
function helpWith(help, language) {
	return help.replace(
		PLACE,
		(_all, before, after) => `${before}${parameterList(language)}\n${after}`,
	);
}

/** The help of each language, and what it should read. */
function helpFromTable() {
	return LANGUAGES.map((language) => {
		const file = fileOf(language, "html");
		return [file, helpWith(readFileSync(file, "utf8"), language)];
	});
}

module.exports = { helpFromTable };

if (require.main === module) {
	for (const [file, text] of helpFromTable()) writeFileSync(file, text);
}
