import type { Language } from "../util/language";
import type { LearnState, Note, NoteCode } from "./learn-state";

/** What happened; what to do. */
const TEXTS: Readonly<Record<NoteCode, Readonly<Record<Language, string>>>> = {
	clipping: {
		"en-US": "The power is cut at a limit; the forecast is cut there too.",
		de: "Die Leistung wird an einer Grenze gekappt; die Prognose wird es dort auch.",
	},
	counter_jump: {
		"en-US":
			"The counter rose faster than the roof can give; check that msg.energy_kwh is in kWh and comes from one counter.",
		de: "Der Zähler stieg schneller, als das Dach liefern kann; prüfen, ob msg.energy_kwh in kWh ist und von einem einzigen Zähler kommt.",
	},
	counter_reset: {
		"en-US":
			"The counter began anew; nothing needs to be done if it does so each day.",
		de: "Der Zähler begann von vorn; tut er es jeden Tag, ist nichts zu tun.",
	},
	curtailed: {
		"en-US": "Quarter hours marked as curtailed teach nothing.",
		de: "Als abgeregelt markierte Viertelstunden lehren nichts.",
	},
	dead_meter: {
		"en-US":
			"The meter stood still or showed zero while sun was foreseen; check the meter, unless snow lay on the modules.",
		de: "Der Zähler stand still oder zeigte null, während Sonne vorhergesagt war; Zähler prüfen, falls kein Schnee auf den Modulen lag.",
	},
	future: {
		"en-US":
			"Readings were dated ahead of now and left out; check msg.time and the clocks.",
		de: "Messwerte waren in die Zukunft datiert und wurden ausgelassen; msg.time und die Uhren prüfen.",
	},
	gap: {
		"en-US":
			"Readings by day came more than 20 minutes apart, those of a counter more than 65, and the time between was left out; send them more often.",
		de: "Messwerte kamen am Tag mehr als 20 Minuten auseinander, die eines Zählerstands mehr als 65, und die Zeit dazwischen wurde ausgelassen; öfter senden.",
	},
	high_day: {
		"en-US":
			"A day gave over three times what was foreseen and was left out; check the site's peak power and what the meter measures.",
		de: "Ein Tag gab über dreimal so viel wie vorhergesagt und wurde ausgelassen; Nennleistung der Anlage prüfen und was der Zähler misst.",
	},
	low_day: {
		"en-US":
			"A day gave less than a third of what was foreseen and was left out: snow, a fault, or a meter of one part of the site.",
		de: "Ein Tag gab weniger als ein Drittel des Vorhergesagten und wurde ausgelassen: Schnee, eine Störung oder ein Zähler für einen Teil der Anlage.",
	},
	moved: {
		"en-US": "The site has moved; learning began anew.",
		de: "Die Anlage ist umgezogen; das Lernen begann von vorn.",
	},
	negative: {
		"en-US":
			"Readings were below zero and left out; turn the sign if your meter counts production as negative.",
		de: "Messwerte waren negativ und wurden ausgelassen; Vorzeichen umkehren, falls der Zähler Erzeugung negativ zählt.",
	},
	no_forecast: {
		"en-US":
			"More readings came before the first forecast than can wait for it, and the oldest were left out; wire output 1 of a solar-yield-forecast node here.",
		de: "Vor der ersten Prognose kamen mehr Messwerte, als auf sie warten können, und die ältesten wurden ausgelassen; Ausgang 1 eines solar-yield-forecast-Nodes hierher verbinden.",
	},
	no_position: {
		"en-US":
			"The forecast does not say where the site is; only an overall factor can be learned.",
		de: "Die Prognose sagt nicht, wo die Anlage steht; nur ein Gesamtfaktor kann gelernt werden.",
	},
	no_strings: {
		"en-US":
			"Readings of string __id__ were left out, for the forecast shows no strings; choose the group strings in the forecast node.",
		de: "Messwerte des Strings __id__ wurden ausgelassen, denn die Prognose zeigt keine Strings; im Prognose-Node die Gruppe Strings wählen.",
	},
	out_of_order: {
		"en-US":
			"Readings came out of order; send late ones oldest first, so that none is lost.",
		de: "Messwerte kamen ungeordnet; späte Werte vom ältesten an senden, damit keiner verloren geht.",
	},
	too_high: {
		"en-US":
			"Readings were over three times the peak power and left out; check that msg.power_w is in W.",
		de: "Messwerte lagen über dem Dreifachen der Nennleistung und wurden ausgelassen; prüfen, ob msg.power_w in W ist.",
	},
	too_old: {
		"en-US": "Readings were older than a year and left out.",
		de: "Messwerte waren älter als ein Jahr und wurden ausgelassen.",
	},
	two_meters: {
		"en-US":
			"Two meters seem to send in turn, and the day was left out; add them up first, or give each its msg.string_id.",
		de: "Zwei Zähler senden offenbar abwechselnd, der Tag wurde ausgelassen; sie vorher addieren oder jedem seine msg.string_id geben.",
	},
	unavailable: {
		"en-US":
			"The meter had no reading to send (unavailable, unknown, none or nothing); nothing needs to be done if it sleeps at night.",
		de: "Der Zähler hatte keinen Messwert zu senden (unavailable, unknown, none oder nichts); schläft er nachts, ist nichts zu tun.",
	},
	unit_kw: {
		"en-US":
			"Readings seem to be a thousandth of what they should be, kW for W or MWh for kWh, and the day was left out; multiply them by 1000.",
		de: "Messwerte sind offenbar ein Tausendstel dessen, was sie sein sollten, kW statt W oder MWh statt kWh, der Tag wurde ausgelassen; mit 1000 multiplizieren.",
	},
	unknown_string: {
		"en-US":
			"Readings of string __id__ were left out, for the site has no such string; give msg.string_id as one of: __known__.",
		de: "Messwerte des Strings __id__ wurden ausgelassen, denn die Anlage hat keinen solchen; als msg.string_id einen von diesen angeben: __known__.",
	},
};

/**
 * A note in words that a person can act on.
 *
 * @param known `string_id`s of the site's strings
 */
export function noteText(
	{ code, string_id }: Pick<Note, "code" | "string_id">,
	language: Language = "en-US",
	known: readonly string[] | null = null,
): string {
	return TEXTS[code][language]
		.replace("__id__", () => string_id ?? "")
		.replace("__known__", () => (known ?? []).join(", "));
}

/** A state's notes, the latest first, with their words and with UTC times. */
export function noteList(
	{ notes, string_ids }: LearnState,
	language: Language = "en-US",
): {
	code: NoteCode;
	string_id: string | null;
	count: number;
	first: string;
	last: string;
	value: number | null;
	text: string;
}[] {
	return [...notes]
		.sort((a, b) => b.last - a.last)
		.map((note) => ({
			...note,
			first: new Date(note.first).toISOString(),
			last: new Date(note.last).toISOString(),
			text: noteText(note, language, string_ids),
		}));
}
