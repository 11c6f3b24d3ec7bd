import type { Language } from "../util/language";

/** What happened; what to do. */
const TEXTS = {
	"en-US": {
		coarse:
			"The counter's steps or times are too coarse for quarter hours, so that only sums of hours or of the day teach; send it more often, with more decimals, or send a power.",
		export_meter:
			"This looks like an export meter behind the house's load: it shows nothing while the light is weak, and teaches nothing; send what the roof gives, then msg.operation = 'reset'.",
		gap: "Hours of daylight were left out (__value__ on the last such day), for readings came too far apart, a power over 20 minutes or a counter over a day; send them more often.",
		grid_meter:
			"This looks like a grid meter: it shows what is drawn or fed in, below zero or at night, and teaches nothing; send what the roof gives, with its sign turned if production counts as negative, then msg.operation = 'reset'.",
		held_down:
			"The power follows something else than the sun, or is held at a level: zero export, a full battery, a limit at times; such hours teach nothing; mark them with msg.curtailed = true, and check that the meter is that of the roof.",
		house_load:
			"This looks like the house's consumption: it goes on at night, and teaches nothing; send what the roof gives, then msg.operation = 'reset'.",
		odd_day:
			"A day gave far less or far more than usual, or the meter stood still, and the day was left out; look for snow, a fault, or a meter of one part of the site.",
		two_meters:
			"Two meters seem to send in turn, and the day was left out; add them up first, or give each its msg.string_id.",
		wrong_time:
			"The power goes on in the dark on one side of the day, so that its times seem to be an hour or more off; check msg.time and the clocks, then send msg.operation = 'reset'.",
		wrong_unit:
			"Readings were far above what the roof can give, or a thousandth of it, and were left out; check the unit (W, kW, kWh, Wh), and that they come from one meter.",
	},
	de: {
		coarse:
			"Schritte oder Zeiten des Zählers sind zu grob für Viertelstunden, so dass nur Summen von Stunden oder des Tages lehren; häufiger senden, mit mehr Nachkommastellen, oder eine Leistung senden.",
		export_meter:
			"Das sieht nach einem Einspeisezähler hinter dem Verbrauch des Hauses aus: Er zeigt nichts, solange das Licht schwach ist, und lehrt nichts; senden Sie, was das Dach gibt, danach msg.operation = 'reset'.",
		gap: "Stunden mit Tageslicht wurden ausgelassen (__value__ am letzten solchen Tag), denn Messwerte kamen zu weit auseinander, eine Leistung über 20 Minuten oder ein Zählerstand über einen Tag; häufiger senden.",
		grid_meter:
			"Das sieht nach einem Netzzähler aus: Er zeigt Bezug oder Einspeisung, unter null oder nachts, und lehrt nichts; senden Sie, was das Dach gibt, mit umgekehrtem Vorzeichen, falls Erzeugung negativ zählt, danach msg.operation = 'reset'.",
		held_down:
			"Die Leistung folgt etwas anderem als der Sonne oder wird auf einer Höhe gehalten: Nulleinspeisung, ein voller Speicher, eine zeitweilige Grenze; solche Stunden lehren nichts; kennzeichnen Sie sie mit msg.curtailed = true und prüfen Sie, ob der Zähler der des Dachs ist.",
		house_load:
			"Das sieht nach dem Verbrauch des Hauses aus: Er geht nachts weiter und lehrt nichts; senden Sie, was das Dach gibt, danach msg.operation = 'reset'.",
		odd_day:
			"Ein Tag gab viel weniger oder viel mehr als üblich, oder der Zähler stand still, und der Tag wurde ausgelassen; prüfen Sie auf Schnee, eine Störung oder einen Zähler für einen Teil der Anlage.",
		two_meters:
			"Zwei Zähler senden offenbar abwechselnd, und der Tag wurde ausgelassen; addieren Sie sie vorher oder geben Sie jedem seine msg.string_id.",
		wrong_time:
			"Die Leistung geht auf einer Seite des Tages im Dunkeln weiter, so dass ihre Zeiten offenbar um eine Stunde oder mehr falsch sind; prüfen Sie msg.time und die Uhren, senden Sie danach msg.operation = 'reset'.",
		wrong_unit:
			"Messwerte lagen weit über dem, was das Dach liefern kann, oder bei einem Tausendstel davon und wurden ausgelassen; prüfen Sie die Einheit (W, kW, kWh, Wh) und ob sie von einem einzigen Zähler kommen.",
	},
} satisfies Record<Language, object>;

export type NoteCode = keyof (typeof TEXTS)["en-US"];
export const NOTE_CODES = Object.keys(TEXTS["en-US"]) as NoteCode[];

/** A note in words that a person can act on. */
export const noteText = (
	{ code, value }: { code: NoteCode; value: number | null },
	language: Language,
): string => TEXTS[language][code].replace("__value__", String(value ?? ""));
