/** What V1 says to people, in German; `nodes/shared/german.ts` has the form. */
export const V1_GERMAN: Readonly<Record<string, string>> = {
	"{name#} {value} {problem!}": "{name} {value} {problem}",
	"sets[{index#}] {problem!}": "sets[{index}] {problem}",
	"is out of bounds": "liegt außerhalb der Grenzen",
	"is not a number": "ist keine Zahl",
	"is not a number (decimals are written with a point)":
		"ist keine Zahl (Dezimalen werden mit Punkt geschrieben)",
	"is not a whole number": "ist keine ganze Zahl",
	"is neither true nor false": "ist weder true noch false",
	"is not allowed": "ist nicht erlaubt",
	"is not a calendar date": "ist kein Kalenderdatum",
	"does not say yes or no for 12 months":
		"sagt nicht für 12 Monate ja oder nein",
	"does not consist of triples": "besteht nicht aus Dreiergruppen",
	"does not have these four parts": "hat diese vier Teile nicht",
	"does not have four numbers": "hat keine vier Zahlen",
	"is not a list of names": "ist keine Liste von Namen",
	"is no known time zone": "ist keine bekannte Zeitzone",
	"is not text": "ist kein Text",
	"is not a row": "ist keine Zeile",
	"is not a timestamp": "ist kein Zeitstempel",
	"does not exist in the answer's zone":
		"gibt es in der Zone der Antwort nicht",
	"is below 0, but azimuths run from 0 to 360 degrees (0 north, 90 east, 180 south, 270 west)":
		"liegt unter 0, Azimute gehen aber von 0 bis 360 Grad (0 Norden, 90 Osten, 180 Süden, 270 Westen)",
	"holds the azimuth {azimuth}, which {problem!}":
		"enthält den Azimut {azimuth}; er {problem}",
	"write {same} for the same direction, or {other} if it was counted from south":
		"schreiben Sie {same} für dieselbe Richtung, oder {other}, wenn von Süden gezählt wurde",
	"is sent as given, but only _ is known to join several triples":
		"wird so gesendet, doch nur von _ ist bekannt, dass es mehrere Dreiergruppen verbindet",
	"use _ if the service refuses it":
		"verwenden Sie _, wenn der Dienst es ablehnt",
	"a whole number": "eine ganze Zahl",
	"a number of {unit}": "eine Zahl in {unit}",
	"a number of at least {least}": "eine Zahl ab {least}",
	"a whole number of at least {least}": "eine ganze Zahl ab {least}",
	"a number from {least} to {most}": "eine Zahl von {least} bis {most}",
	"{number!} (0 north, 90 east, 180 south, 270 west)":
		"{number} (0 Norden, 90 Osten, 180 Süden, 270 Westen)",
	"{number#} degrees": "{number} Grad",
	"{number#} days": "{number} Tage",
	"{number#} years": "{number} Jahre",
	text: "Text",
	"a calendar date YYYY-MM-DD": "ein Kalenderdatum YYYY-MM-DD",
	"text of 12 digits, each 0 or 1, January first":
		"12 Ziffern, jede 0 oder 1, Januar zuerst,",
	"numbers {format}, several joined by _":
		"Zahlen {format}, mehrere mit _ verbunden,",
	"{format#} (three numbers, then T or F, true or false, 1 or 0)":
		"{format} (drei Zahlen, dann T oder F, true oder false, 1 oder 0)",
	"four numbers {format}": "vier Zahlen {format}",
	"column names separated by commas": "mit Kommas getrennte Namen von Spalten",
	"utc or an IANA name such as Europe/Berlin":
		"utc oder einen IANA-Namen wie Europe/Berlin",
	"{names} is missing on the {endpoint#} endpoint":
		"{names} fehlt beim Endpunkt {endpoint}",
	"{names} and {last#} are missing on the {endpoint#} endpoint":
		"{names} und {last} fehlen beim Endpunkt {endpoint}",
	"give {parameters+}": "geben Sie an: {parameters}",
	"{name#} {value} is not taken by the {endpoint#} endpoint":
		"{name} {value} nimmt der Endpunkt {endpoint} nicht",
	"remove it, or use one that takes it: {endpoints+}":
		"entfernen Sie es, oder verwenden Sie einen, der es nimmt: {endpoints}",
	"end_date {end} is before start_date {start}":
		"end_date {end} liegt vor start_date {start}",
	"end_date {end} is before start_date {start} (the service's default)":
		"end_date {end} liegt vor start_date {start} (Vorgabe des Dienstes)",
	"give an end_date on or after start_date":
		"geben Sie ein end_date ab start_date an",
	"endpoint {endpoint} does not exist in V1":
		"den Endpunkt {endpoint} gibt es in V1 nicht",
	"V1 parameters {value} are not an object":
		"die V1-Parameter {value} sind kein Objekt",
	"give an object of parameter names and values":
		"geben Sie ein Objekt mit Namen und Werten von Parametern an",
	"{name} is not a V1 parameter": "{name} ist kein V1-Parameter",
	"remove it, or write {name#} if that is meant":
		"entfernen Sie ihn, oder schreiben Sie {name}, wenn das gemeint ist",
	"{name#} names the variable {variable}, which has no value here":
		"{name} nennt die Variable {variable}, die hier keinen Wert hat",
	"set it, unless the node is in a subflow whose instances do":
		"setzen Sie sie, sofern der Node nicht in einem Subflow ist, dessen Instanzen es tun",
	"payload is a list": "payload ist eine Liste",
	'send one object of V1 parameters per message, or with msg.operation "to-v2" to make one site of the list':
		'senden Sie ein Objekt von V1-Parametern je Nachricht, oder mit msg.operation "to-v2", um aus der Liste eine Anlage zu machen',
	"give a list of objects of V1 parameters, one per set":
		"geben Sie eine Liste von Objekten mit V1-Parametern an, eines je Satz",
	"The V1 answer is not readable: {path#} {value} {why!}":
		"Die V1-Antwort ist nicht zu lesen: {path} {value} {why}",
	"ask again, and report it to the service if it stays":
		"fragen Sie noch einmal, und melden Sie es dem Dienst, wenn es so bleibt",
	"no connection": "keine Verbindung",

	// — what becomes of parameters in V2 —
	"{value} holds no V1 parameter set to move":
		"{value} enthält keinen Satz von V1-Parametern zum Umziehen",
	"give a list of at least one with latitude, longitude, slope and orientation":
		"geben Sie eine Liste mit wenigstens einem an, mit latitude, longitude, slope und orientation",
	"The sets differ in what a V2 site has only once ({conflicts})":
		"Die Sätze unterscheiden sich in dem, was eine V2-Anlage nur einmal hat ({conflicts})",
	"give them the same values or move them one by one to sites of their own":
		"geben Sie ihnen dieselben Werte, oder ziehen Sie sie einzeln in eigene Anlagen um",
	"strings[{index#}].power_kw is {value}, and a site without peak power yields nothing":
		"strings[{index}].power_kw ist {value}, und eine Anlage ohne Nennleistung bringt nichts",
	"enter pv_power_kw first": "tragen Sie zuerst pv_power_kw ein",
	"{name#} of the site": "{name} der Anlage",
	"{path#}; not set: V1's default is written out, since strings have no published defaults":
		"{path}; nicht gesetzt: Der Wert von V1 steht ausdrücklich da, weil für Strings keine Vorgaben veröffentlicht sind",
	"{path#}; without peak power the site yields nothing: enter it":
		"{path}; ohne Nennleistung bringt die Anlage nichts: tragen Sie sie ein",
	"{path#}; not set: V1's default is written out, since strings have no published defaults; without peak power the site yields nothing: enter it":
		"{path}; nicht gesetzt: Der Wert von V1 steht ausdrücklich da, weil für Strings keine Vorgaben veröffentlicht sind; ohne Nennleistung bringt die Anlage nichts: tragen Sie sie ein",
	"{path#}; in %/°C as in V1": "{path}; in %/°C wie in V1",
	"{path#}; a fraction as in V1": "{path}; als Anteil wie in V1",
	"{path#}; in V1's notation; V2's is not published, so check it in the web app":
		"{path}; in der Schreibweise von V1; die von V2 ist nicht veröffentlicht, prüfen Sie es also in der Web-App",
	"config.modules.installation_year {year#}: the year {age} years before today":
		"config.modules.installation_year {year}: das Jahr vor {age} Jahren",
	"correct it if you know better":
		"berichtigen Sie es, wenn Sie es besser wissen",
	"V1 default": "Vorgabe in V1",
	"V1 default {value}": "Vorgabe in V1: {value}",
	on: "an",
	off: "aus",
	empty: "leer",
	"V2 uses its system default, which may differ":
		"V2 nimmt die Vorgabe seines Systems, die anders sein kann",
	"not set": "nicht gesetzt",
	"not set (V1 default {value})": "nicht gesetzt (Vorgabe in V1: {value})",
	"not set here": "hier nicht gesetzt",
	"{set}sets the same for the whole site":
		"{set}setzt dasselbe für die ganze Anlage",
	"the {endpoint#} endpoint does not take it":
		"der Endpunkt {endpoint} nimmt es nicht",
	"not set, and there is no second array":
		"nicht gesetzt, und es gibt kein zweites Feld",
	"second_array_power_kw is 0, so there is no second array":
		"second_array_power_kw ist 0, es gibt also kein zweites Feld",
	"V2 does not simulate household, air cooling or battery":
		"V2 simuliert weder Haushalt noch Klimaanlage oder Batterie",
	"V2 has no soiling model": "V2 hat kein Modell der Verschmutzung",
	"V2 keeps near-field shading per string in a form that is not published":
		"V2 hält Nahverschattung je String in einer Form, die nicht veröffentlicht ist",
	"enter it in the web app": "tragen Sie sie in der Web-App ein",
	"V2 finds the elevation from the coordinates":
		"V2 ermittelt die Höhe aus den Koordinaten",
	"V2 returns PV data only": "V2 liefert nur PV-Daten",
	"V2 does not break losses down": "V2 gliedert die Verluste nicht auf",
	"V2 does not let the source of irradiance be chosen":
		"V2 lässt die Quelle der Einstrahlung nicht wählen",
	"V2 does not let nowcast be switched": "V2 lässt Nowcast nicht umschalten",
	"not part of a site: {what!}": "gehört nicht zu einer Anlage: {what}",
	"startDate and endDate of the history node":
		"startDate und endDate des Historien-Nodes",
	"forecastDays of the forecast node, which counts the days after today (0 to 7)":
		"forecastDays des Prognose-Nodes, der die Tage nach heute zählt (0 bis 7)",
	"pastDays of the forecast node (0 to 30)":
		"pastDays des Prognose-Nodes (0 bis 30)",
	"the include group clearsky of the forecast node":
		"die Gruppe clearsky des Prognose-Nodes",
	"not part of a site: in the forecast or history node {advice!}":
		"gehört nicht zu einer Anlage: {advice}, im Prognose- oder Historien-Node",
	"use the include groups {groups*}": "verwenden Sie die Gruppen {groups}",
	"V2 has include groups instead of columns": "V2 hat Gruppen statt Spalten",
	"no V2 group is known for {names}": "für {names} ist keine V2-Gruppe bekannt",
	"timezone of the forecast or history node, {zone}":
		"timezone des Prognose- oder Historien-Nodes, {zone}",
	"local for the site's own zone, else utc":
		"local für die Zone der Anlage, sonst utc",

	"V1 of the Solar Yield Service ended on {date} and no longer answers ({status})":
		"V1 des Solar Yield Service endete am {date} und antwortet nicht mehr ({status})",
	'move to V2: the button "Move to V2" in this node\'s dialog, or msg.operation "to-v2", makes the site of these parameters; then use the forecast and history nodes':
		'wechseln Sie zu V2: Der Knopf „Zu V2 umziehen“ im Dialog dieses Nodes oder msg.operation "to-v2" macht die Anlage aus diesen Parametern; verwenden Sie dann die Nodes für Prognose und Historie',
	"give an object of V1 parameter names and values":
		"geben Sie ein Objekt mit Namen und Werten von V1-Parametern an",
};
