/**
 * What the runtime says to people, in German: errors and warnings. English is the
 * language of the sources, and its phrases are the keys here. "What happened" and "what to
 * do" of an error have keys of their own. V1 brings its own along.
 *
 * `{…}` stands for what is filled in, which may be a phrase itself, and `{…!}` for what must
 * be one; `{…?}` for what may be nothing, `{…#}` for the name of a property, `{…*}` for some,
 * `{…+}` for names with a phrase in brackets behind each.
 */
export const GERMAN: Readonly<Record<string, string>> = {
	// — account and node: what is yet to be set up —
	"The node has no account": "Der Node hat kein Konto",
	"choose one in its dialog (where none can be chosen, switch solar-yield-account on in Manage palette)":
		"wählen Sie eines in seinem Dialog (wo keines zu wählen ist, schalten Sie solar-yield-account unter Palette verwalten ein)",
	"The node's account is disabled": "Das Konto des Nodes ist deaktiviert",
	"enable it in the sidebar of the configuration nodes and deploy, or choose another one":
		"aktivieren Sie es in der Seitenleiste der Konfigurations-Nodes und übernehmen Sie (Deploy), oder wählen Sie ein anderes",
	"The node's account is chosen by the variable {variable}, which names none":
		"Das Konto des Nodes wird durch die Variable {variable} gewählt, die keines nennt",
	"choose an account in the subflow's instance":
		"wählen Sie ein Konto in der Instanz des Subflows",
	"siteId is blank here and in the account":
		"siteId ist hier und im Konto leer",
	"choose a site in one of them": "wählen Sie dort oder hier eine Anlage",
	"The account's {field} names the environment variable {variable}, which is not set":
		"{field} des Kontos nennt die Umgebungsvariable {variable}, die nicht gesetzt ist",
	"{name#} names the environment variable {variable}, which is not set":
		"{name} nennt die Umgebungsvariable {variable}, die nicht gesetzt ist",
	"The environment variable {variable} is not set":
		"Die Umgebungsvariable {variable} ist nicht gesetzt",
	"set it and restart Node-RED": "setzen Sie sie und starten Sie Node-RED neu",
	"set it and restart Node-RED, or enter the value itself":
		"setzen Sie sie und starten Sie Node-RED neu, oder tragen Sie den Wert selbst ein",
	"set it or enter the id itself":
		"setzen Sie sie, oder tragen Sie die ID selbst ein",
	"The account has no base URL": "Das Konto hat keine Basis-URL",
	"enter the address of the service": "tragen Sie die Adresse des Dienstes ein",
	"The account has no API key": "Das Konto hat keinen API-Schlüssel",
	"enter the key of your account with the service":
		"tragen Sie den Schlüssel Ihres Kontos beim Dienst ein",
	"The account's API key holds blanks or characters that no key has":
		"Der API-Schlüssel des Kontos enthält Leerzeichen oder Zeichen, die kein Schlüssel hat",
	"copy it again": "kopieren Sie ihn noch einmal",
	"The API key holds characters that no key has":
		"Der API-Schlüssel enthält Zeichen, die kein Schlüssel hat",
	"enter it again as the service shows it":
		"tragen Sie ihn noch einmal ein, wie der Dienst ihn zeigt",
	"base URL": "Basis-URL",
	"API key": "API-Schlüssel",
	"enter a whole number of requests, or leave it blank":
		"tragen Sie eine ganze Zahl von Abfragen ein, oder lassen Sie das Feld leer",
	"The base URL{quoted?} is no web address":
		"Die Basis-URL{quoted} ist keine Webadresse",
	"enter the service's address, beginning with https://":
		"tragen Sie die Adresse des Dienstes ein, die mit https:// beginnt",
	"The base URL holds a user name, a query or a fragment":
		"Die Basis-URL enthält Benutzername, Abfrageteil oder Sprungmarke",
	"enter the service's address alone, the key has a field of its own":
		"tragen Sie nur die Adresse des Dienstes ein, der Schlüssel hat ein eigenes Feld",
	"The base URL begins with http:, so the API key travels unencrypted":
		"Die Basis-URL beginnt mit http:, der API-Schlüssel reist also unverschlüsselt",
	"use https: if the service offers it":
		"verwenden Sie https:, wenn der Dienst es anbietet",
	"The environment variable {variable} holds no address of a service":
		"Die Umgebungsvariable {variable} enthält keine Adresse eines Dienstes",
	"let it begin with https://": "lassen Sie sie mit https:// beginnen",
	"The base URL is another than the stored one":
		"Die Basis-URL ist eine andere als die gespeicherte",
	"type the API key in again, it goes only where you send it":
		"geben Sie den API-Schlüssel noch einmal ein, er geht nur dorthin, wohin Sie ihn senden",
	"There is no stored API key to check":
		"Es ist kein API-Schlüssel gespeichert, der zu prüfen wäre",
	"type it in": "geben Sie ihn ein",
	"The key in the environment variable {variable} belongs to a deployed account with another base URL and is not sent to this one":
		"Der Schlüssel in der Umgebungsvariablen {variable} gehört zu einem übernommenen Konto mit anderer Basis-URL und wird an diese nicht gesendet",
	"type a key in to check, or deploy the account as it stands":
		"geben Sie zum Prüfen einen Schlüssel ein, oder übernehmen Sie das Konto, wie es ist (Deploy)",
	"What the environment variable {variable} holds is not sent to an address that no deployed account uses it with":
		"Was die Umgebungsvariable {variable} enthält, wird an keine Adresse gesendet, mit der kein übernommenes Konto sie verwendet",
	"deploy first and check then, or type the key itself in":
		"übernehmen Sie zuerst (Deploy) und prüfen Sie dann, oder geben Sie den Schlüssel selbst ein",
	"The account was removed or deployed anew before the request's turn came":
		"Das Konto wurde entfernt oder neu übernommen, bevor die Abfrage an der Reihe war",
	"send the message again": "senden Sie die Nachricht noch einmal",
	"The account is not chosen or not deployed":
		"Das Konto ist nicht gewählt oder nicht übernommen",
	"choose one, deploy, and create the site then":
		"wählen Sie eines, übernehmen Sie (Deploy), und legen Sie die Anlage dann an",

	"The request comes from a page of another address than Node-RED's and is refused":
		"Die Anfrage kommt von einer Seite mit anderer Adresse als der von Node-RED und wird abgelehnt",
	"where a proxy stands before Node-RED, let it pass on the header Host, or X-Forwarded-Host":
		"steht ein Proxy vor Node-RED, lassen Sie ihn den Header Host weiterreichen, oder X-Forwarded-Host",

	"The request has no header {name} and is refused":
		"Der Anfrage fehlt der Header {name}, sie wird abgelehnt",
	"use the node's dialog, or send the header along":
		"verwenden Sie den Dialog des Nodes, oder senden Sie den Header mit",
	"The request is not JSON and is refused":
		"Die Anfrage ist kein JSON und wird abgelehnt",
	"send it as application/json": "senden Sie sie als application/json",

	// — the address and the way to the service —
	"This address is not the Solar Yield Service (it answers with {how})":
		"Diese Adresse ist nicht der Solar Yield Service (sie antwortet mit {how})",
	"a web page": "einer Webseite",
	"other data": "anderen Daten",
	"a text": "einem Text",
	nothing: "nichts",
	"status {status}": "Status {status}",
	"check the base URL": "prüfen Sie die Basis-URL",
	"check the base URL and its port": "prüfen Sie die Basis-URL und ihren Port",
	"check the base URL and the network":
		"prüfen Sie die Basis-URL und das Netzwerk",
	"check the network and the base URL":
		"prüfen Sie das Netzwerk und die Basis-URL",
	"check the base URL of the account": "prüfen Sie die Basis-URL des Kontos",
	"check the network": "prüfen Sie das Netzwerk",
	"check the network and send the message again":
		"prüfen Sie das Netzwerk, und senden Sie die Nachricht noch einmal",
	"{host} is a name that nobody knows ({code})":
		"{host} ist ein Name, den niemand kennt ({code})",
	"{host} refuses connections ({code})":
		"{host} lehnt Verbindungen ab ({code})",
	"{host} cannot be reached ({code})": "{host} ist nicht zu erreichen ({code})",
	"{host} has a certificate that is not valid at this machine's time, {now} ({code})":
		"{host} hat ein Zertifikat, das zur Zeit dieses Rechners nicht gilt, {now} ({code})",
	"check this machine's clock first, then the certificate":
		"prüfen Sie zuerst die Uhr dieses Rechners, dann das Zertifikat",
	"{host} has a certificate that is not trusted ({code})":
		"{host} hat ein Zertifikat, dem nicht vertraut wird ({code})",
	"for a private authority set NODE_EXTRA_CA_CERTS":
		"für eine private Zertifizierungsstelle setzen Sie NODE_EXTRA_CA_CERTS",
	"{host} does not speak https ({code})": "{host} spricht kein https ({code})",
	"check whether the base URL begins with http or https as the service does":
		"prüfen Sie, ob die Basis-URL mit http oder https beginnt wie der Dienst",
	"{host} did not answer in time ({code})":
		"{host} hat nicht rechtzeitig geantwortet ({code})",
	"{host} is no longer waited for ({code})":
		"auf {host} wird nicht mehr gewartet ({code})",
	"{host} sent an answer that cannot be read ({code})":
		"{host} hat eine Antwort gesendet, die nicht zu lesen ist ({code})",
	"{host} broke off in the middle of its answer ({code})":
		"{host} hat mitten in der Antwort abgebrochen ({code})",
	"{host} broke the connection ({code})":
		"{host} hat die Verbindung abgebrochen ({code})",
	"nothing needs to be done": "es ist nichts zu tun",
	"nothing needs to be done if it is rare":
		"kommt es selten vor, ist nichts zu tun",
	"nothing needs to be done if it is rare, else {advice!}":
		"kommt es selten vor, ist nichts zu tun, sonst {advice}",
	"tell the service": "melden Sie es dem Dienst",
	"look for a firewall, a proxy or a login on the way":
		"suchen Sie nach einer Firewall, einem Proxy oder einer Anmeldung auf dem Weg",
	"The service did not answer within {seconds} s":
		"Der Dienst hat nicht innerhalb von {seconds} s geantwortet",
	"The service's answer is over 32 MB and was refused":
		"Die Antwort des Dienstes ist größer als 32 MB und wurde abgelehnt",
	"ask for fewer days or groups, or tell the service":
		"fragen Sie weniger Tage oder Gruppen ab, oder melden Sie es dem Dienst",
	"The environment names no usable proxy for {scheme} addresses":
		"Die Umgebung nennt keinen brauchbaren Proxy für {scheme}-Adressen",
	"let {scheme} or ALL_PROXY begin with http:// or https://, and write special characters of its password percent-encoded":
		"lassen Sie {scheme} oder ALL_PROXY mit http:// oder https:// beginnen, und schreiben Sie Sonderzeichen des Passworts prozentkodiert",
	"The service redirects to another host or from https to http, where the key must not go":
		"Der Dienst leitet zu einem anderen Rechner oder von https zu http um, wohin der Schlüssel nicht gehen darf",
	"The service redirects without end or away from a change":
		"Der Dienst leitet ohne Ende oder von einer Änderung weg um",
	"The proxy on the way to the service wants a name and a password{said?}":
		"Der Proxy auf dem Weg zum Dienst verlangt Name und Passwort{said}",
	"put them into HTTP_PROXY and HTTPS_PROXY":
		"setzen Sie sie in HTTP_PROXY und HTTPS_PROXY",
	"put them into HTTPS_PROXY, special characters percent-encoded":
		"setzen Sie sie in HTTPS_PROXY, Sonderzeichen prozentkodiert",
	"The proxy on the way to the service does not let the connection through ({status})":
		"Der Proxy auf dem Weg zum Dienst lässt die Verbindung nicht durch ({status})",
	"check HTTPS_PROXY and NO_PROXY, or ask who runs the proxy":
		"prüfen Sie HTTPS_PROXY und NO_PROXY, oder fragen Sie, wer den Proxy betreibt",

	// — what the service answers —
	"The service refuses the API key{said?}":
		"Der Dienst lehnt den API-Schlüssel ab{said}",
	"The service refused the API key":
		"Der Dienst hat den API-Schlüssel abgelehnt",
	"check the key of the account": "prüfen Sie den Schlüssel des Kontos",
	"check the API key of the account": "prüfen Sie den API-Schlüssel des Kontos",
	"The service wants a payment for {operation!}{said?}":
		"Der Dienst verlangt eine Zahlung für {operation}{said}",
	"look at the plan and its payments in the service's web app":
		"sehen Sie in der Web-App des Dienstes nach Tarif und Zahlungen",
	forecasts: "Prognosen",
	"historical data": "historische Daten",
	"reading sites": "das Lesen von Anlagen",
	"this request": "diese Abfrage",
	"the Sites API ({change})": "die Schnittstelle der Anlagen ({change})",
	"creating a site": "Anlegen einer Anlage",
	"creating a temporary site": "Anlegen einer befristeten Anlage",
	"changing a site": "Ändern einer Anlage",
	"deleting a site": "Löschen einer Anlage",
	"restoring a site": "Wiederherstellen einer Anlage",
	"A web page answers in place of the service and refuses the request (403){said?}":
		"Statt des Dienstes antwortet eine Webseite und lehnt die Abfrage ab (403){said}",
	"The plan does not include the group {group}{said?}":
		"Der Tarif enthält die Gruppe {group} nicht{said}",
	"leave the group out or choose a plan that has it":
		"lassen Sie die Gruppe weg, oder wählen Sie einen Tarif, der sie hat",
	"The plan's limit of sites is reached{said?}":
		"Der Tarif erlaubt keine weitere Anlage{said}",
	"delete a site, or choose a plan that has more":
		"löschen Sie eine Anlage, oder wählen Sie einen Tarif, der mehr hat",
	"The site is inactive: it is over the plan's limit of sites{said?}":
		"Die Anlage ist inaktiv: Der Tarif erlaubt weniger Anlagen{said}",
	"activate it in the service's web app, or delete another one":
		"aktivieren Sie sie in der Web-App des Dienstes, oder löschen Sie eine andere",
	"activate the site in the service's web app, or delete another one":
		"aktivieren Sie die Anlage in der Web-App des Dienstes, oder löschen Sie eine andere",
	"The plan does not include {operation!}{said?}":
		"Der Tarif enthält {operation} nicht{said}",
	"choose a plan that has it": "wählen Sie einen Tarif, der es hat",
	"The service does not know what was asked for{said?}":
		"Der Dienst kennt nicht, was abgefragt wurde{said}",
	"check the site id and the base URL":
		"prüfen Sie die ID der Anlage und die Basis-URL",
	"The service did not get the request in time (408){said?}":
		"Der Dienst hat die Abfrage nicht rechtzeitig erhalten (408){said}",
	"The service does not take the request yet (425){said?}":
		"Der Dienst nimmt die Abfrage noch nicht an (425){said}",
	"The service has a fault of its own ({status}){said?}":
		"Der Dienst hat selbst eine Störung ({status}){said}",
	"The service rejects the request ({status}){said?}":
		"Der Dienst weist die Abfrage zurück ({status}){said}",
	"correct what it names": "berichtigen Sie, was er nennt",
	"The service answers with the unexpected status {status}{said?}":
		"Der Dienst antwortet mit dem unerwarteten Status {status}{said}",
	"The month's requests are used up{used?}":
		"Die Abfragen des Monats sind verbraucht{used}",
	" ({used} of {limit} used){said?}": " ({used} von {limit}){said}",
	"nothing is asked until the count returns to 0 at {time}, unless the plan is raised":
		"es wird nichts abgefragt, bis der Zähler am {time} auf 0 zurückgeht, außer der Tarif wird erhöht",
	"The service is asked too often at the moment{said?}":
		"Der Dienst wird im Augenblick zu oft abgefragt{said}",
	"try again later": "versuchen Sie es später noch einmal",
	"send the message again later": "senden Sie die Nachricht später noch einmal",
	"it is asked again by itself": "es wird von selbst wieder abgefragt",
	"nothing needs to be done, it is asked again by itself":
		"es ist nichts zu tun, es wird von selbst wieder abgefragt",
	"ask for other days, or send the message again later":
		"fragen Sie andere Tage ab, oder senden Sie die Nachricht später noch einmal",
	"The service's answer cannot be used: {what}":
		"Die Antwort des Dienstes ist nicht zu gebrauchen: {what}",
	"The answer could not be used ({reason})":
		"Die Antwort war nicht zu gebrauchen ({reason})",
	"report this as a fault of the package":
		"melden Sie das als Fehler des Pakets",
	"it is empty": "sie ist leer",
	"it is no JSON": "sie ist kein JSON",
	"it nests more deeply than can be handled": "sie ist zu tief geschachtelt",
	"it has more parts than can be handled": "sie hat zu viele Teile",
	"the list of sites is no list": "die Liste der Anlagen ist keine Liste",
	"{path#} reaches from {from} to {to}, expected at most {count} years":
		"{path} reicht von {from} bis {to}, erwartet werden höchstens {count} Jahre",
	"expected at most {count} characters":
		"erwartet werden höchstens {count} Zeichen",
	"expected at most {count} days": "erwartet werden höchstens {count} Tage",
	"A node could not use a forecast ({reason})":
		"Ein Node konnte mit einer Prognose nichts anfangen ({reason})",
	"no reason is given": "kein Grund ist genannt",
	"unknown error": "unbekannter Fehler",
	"{path#} is missing": "{path} fehlt",
	"{path#} is {value} ({words})": "{path} ist {value} ({words})",
	"the body is {value} ({words})": "der Inhalt ist {value} ({words})",
	"{block#} holds no rows": "{block} enthält keine Zeilen",
	"{block#}: rows are {minutes} minutes apart":
		"{block}: Die Zeilen sind {minutes} Minuten auseinander",
	"15 are expected": "erwartet werden 15",
	"expected array": "erwartet wird eine Liste",
	"expected an ISO 8601 time": "erwartet wird eine Zeit nach ISO 8601",
	"expected an ISO 8601 time on a quarter hour, from 1971 to 2198":
		"erwartet wird eine Zeit nach ISO 8601 auf einer Viertelstunde, von 1971 bis 2198",
	"site_id is {id}, but site {asked} was asked for":
		"site_id ist {id}, abgefragt wurde Anlage {asked}",
	"timezone is {zone} and no known IANA zone, and the site's record names none":
		"timezone ist {zone} und keine bekannte IANA-Zone, und der Datensatz der Anlage nennt keine",
	"The service's list of sites holds records that cannot be read whole ({shown})":
		"Die Liste der Anlagen enthält Datensätze, die nicht ganz zu lesen sind ({shown})",
	"the other sites are not affected, tell the service":
		"die anderen Anlagen betrifft es nicht, melden Sie es dem Dienst",
	"The service has more sites than it has listed":
		"Der Dienst hat mehr Anlagen, als er aufgezählt hat",
	"a site that is missing here can be named by its id":
		"eine Anlage, die hier fehlt, lässt sich mit ihrer ID nennen",

	// — limits, and what is known —
	"The service was asked too often": "Der Dienst wurde zu oft abgefragt",
	"wait until {time}": "warten Sie bis {time}",
	'wait until {time}, or raise the plan and press "Ask now" in the account':
		"warten Sie bis {time}, oder erhöhen Sie den Tarif und drücken Sie im Konto „Jetzt abfragen“",
	"The account's budget for the month is used up":
		"Das Budget des Kontos für den Monat ist verbraucht",
	"wait until {time} or raise the budget":
		"warten Sie bis {time}, oder erhöhen Sie das Budget",
	"Only the reserve is left of the month's requests":
		"Von den Abfragen des Monats ist nur noch die Reserve übrig",
	"wait until {time} or lower the reserve of the account":
		"warten Sie bis {time}, oder verringern Sie die Reserve des Kontos",
	"No forecast is known yet": "Es ist noch keine Prognose bekannt",
	"wait for the next request": "warten Sie auf die nächste Abfrage",
	"send one to this node first, from output 1 of a solar-yield-forecast node":
		"senden Sie diesem Node zuerst eine, von Ausgang 1 eines solar-yield-forecast-Nodes",
	"An earlier request was interrupted":
		"Eine frühere Abfrage wurde unterbrochen",
	"The account has no site of this id":
		"Das Konto hat keine Anlage mit dieser ID",
	"choose one of the account's sites": "wählen Sie eine der Anlagen des Kontos",
	"The site was deleted": "Die Anlage wurde gelöscht",
	"The site was deleted, and what was published of it is removed":
		"Die Anlage wurde gelöscht, und was von ihr veröffentlicht war, ist entfernt",
	"restore it {until}, or choose another site":
		"stellen Sie sie {until} wieder her, oder wählen Sie eine andere Anlage",
	"the site was deleted, so restore it {until}, or choose another one":
		"die Anlage wurde gelöscht: stellen Sie sie {until} wieder her, oder wählen Sie eine andere",
	"within 30 days": "innerhalb von 30 Tagen",
	"until {time}": "bis {time}",
	"The forecast has none of the groups this node shows ({groups})":
		"Die Prognose hat keine der Gruppen, die dieser Node zeigt ({groups})",
	"choose other groups or a plan that has them":
		"wählen Sie andere Gruppen oder einen Tarif, der sie hat",

	// — values of settings and messages —
	"{field#} is {value}": "{field} ist {value}",
	missing: "nicht angegeben",
	"{field#} is {value}, which is no id of a site":
		"{field} ist {value}, und das ist keine ID einer Anlage",
	"give the id as the account's dialog lists it":
		"geben Sie die ID an, wie der Dialog des Kontos sie zeigt",
	"give the site's id as text, as the account's dialog lists it":
		"geben Sie die ID der Anlage als Text an, wie der Dialog des Kontos sie zeigt",
	"The id {id} is none the service could have given":
		"Die ID {id} kann der Dienst nicht vergeben haben",
	"check siteId": "prüfen Sie siteId",
	"give {wanted!}": "geben Sie {wanted} an",
	"a number": "eine Zahl",
	"a whole number from {least} to {most}":
		"eine ganze Zahl von {least} bis {most}",
	"true or false": "true oder false",
	"one of {choices*}": "eines von {choices}",
	"give one of {choices*}": "geben Sie eines davon an: {choices}",
	"choose one of {choices*}": "wählen Sie eines davon: {choices}",
	"choose {choices*}": "wählen Sie {choices}",
	"choose {choices*} minutes": "wählen Sie {choices} Minuten",
	"give true or false": "geben Sie true oder false an",
	"give a text": "geben Sie einen Text an",
	"give a whole number of days from 0 to {most}, or leave it out":
		"geben Sie eine ganze Zahl von Tagen von 0 bis {most} an, oder lassen Sie es weg",
	"give a list of the groups {groups*}":
		"geben Sie eine Liste der Gruppen {groups} an",
	'give "local" for the site\'s own time or "utc"':
		'geben Sie "local" für die Zeit der Anlage oder "utc" an',
	"enter a number of hours from {least} on":
		"tragen Sie eine Zahl von Stunden ab {least} ein",
	"topic is {prefix}": "topic ist {prefix}",
	"+ and # have a meaning of their own in MQTT, enter a topic without them":
		"+ und # haben in MQTT eine eigene Bedeutung, tragen Sie ein Topic ohne sie ein",
	"inline is no JSON": "inline ist kein JSON",
	"give an object with latitude, longitude and strings":
		"geben Sie ein Objekt mit latitude, longitude und strings an",
	"give a number ({unit}), with a point for decimals":
		"geben Sie eine Zahl an ({unit}), mit Punkt für Dezimalen",
	"give a number from {least} to {most} ({unit}), with a point for decimals":
		"geben Sie eine Zahl von {least} bis {most} an ({unit}), mit Punkt für Dezimalen",
	"give a number above {above} to {most} ({unit}), with a point for decimals":
		"geben Sie eine Zahl über {above} bis {most} an ({unit}), mit Punkt für Dezimalen",
	"give a number from {least} ({unit}), with a point for decimals":
		"geben Sie eine Zahl ab {least} an ({unit}), mit Punkt für Dezimalen",
	"give a number above {above} ({unit}), with a point for decimals":
		"geben Sie eine Zahl über {above} an ({unit}), mit Punkt für Dezimalen",
	"give a number, with a point for decimals and without its unit":
		"geben Sie eine Zahl an, mit Punkt für Dezimalen und ohne Einheit",
	"give {wanted!}, with a point for decimals":
		"geben Sie {wanted} an, mit Punkt für Dezimalen",
	"the hours of running a day, 0.25 to 24":
		"die Stunden der Laufzeit am Tag, 0.25 bis 24,",
	"a power in W from 0, or leave it blank for none":
		"eine Leistung in W ab 0 oder nichts",
	"the appliance's power in W above 0, or leave it blank":
		"die Leistung des Geräts in W über 0 oder nichts",
	"the power of the house in W from 0, or leave it blank for none":
		"die Leistung des Hauses in W ab 0 oder nichts",
	"the minutes that the appliance ran today, 0 to 1500":
		"die Minuten, die das Gerät heute gelaufen ist, 0 bis 1500,",
	"give the minutes that the appliance ran today, or delete it":
		"geben Sie die Minuten an, die das Gerät heute gelaufen ist, oder löschen Sie es",
	"give true when the appliance needs no more today":
		"geben Sie true an, wenn das Gerät heute nichts mehr braucht",
	'give a time of the site\'s day like "08:30", or leave it blank for the whole day':
		'geben Sie eine Zeit des Tages der Anlage wie "08:30" an, oder nichts für den ganzen Tag',
	'give a time of day like "07:00", or an instant with its offset like "2026-07-01T07:00:00+02:00"':
		'geben Sie eine Tageszeit wie "07:00" an, oder einen Zeitpunkt mit Abstand zu UTC wie "2026-07-01T07:00:00+02:00"',
	'give a time with its offset, like "2026-07-01T12:00:00+02:00", or epoch milliseconds':
		'geben Sie eine Zeit mit ihrem Abstand zu UTC an, wie "2026-07-01T12:00:00+02:00", oder Millisekunden seit 1970',
	"{path} is not known": "{path} ist unbekannt",
	"give {names*}": "geben Sie {names} an",
	"{message} ({count} more {rows} wrong too; {rest})":
		"{message} (weitere falsche Zeilen: {count}; {rest})",
	"the other rows are used": "die anderen Zeilen werden verwendet",
	"no row is used": "keine Zeile wird verwendet",
	"The message could not be handled ({reason})":
		"Die Nachricht war nicht zu verarbeiten ({reason})",
	"check what is sent to this node":
		"prüfen Sie, was diesem Node gesendet wird",
	"The request could not be handled ({reason})":
		"Die Anfrage war nicht zu verarbeiten ({reason})",
	"check what is sent": "prüfen Sie, was gesendet wird",

	// — forecasts that come in —
	"wire output 1 of a solar-yield-forecast node here, as an object or as JSON text":
		"verbinden Sie Ausgang 1 eines solar-yield-forecast-Nodes hierher, als Objekt oder als JSON-Text",
	"msg.payload is text and no JSON: {json}":
		"msg.payload ist Text und kein JSON: {json}",
	"msg.payload is {payload} and no forecast":
		"msg.payload ist {payload} und keine Prognose",
	"msg.payload is the rows of one string (output 3)":
		"msg.payload sind die Zeilen eines Strings (Ausgang 3)",
	"msg.payload is one daily row (output 2)":
		"msg.payload ist eine Tageszeile (Ausgang 2)",
	"msg.payload is the values of a solar-yield-now node":
		"msg.payload sind die Werte eines solar-yield-now-Nodes",
	"msg.payload is no forecast: values is {values}":
		"msg.payload ist keine Prognose: values ist {values}",
	"msg.payload cannot be used: {what}":
		"msg.payload ist nicht zu gebrauchen: {what}",
	"msg.siteId is {asked}, but the forecast is of site {site}":
		"msg.siteId ist {asked}, die Prognose ist aber von Anlage {site}",
	"send that site's forecast, or delete msg.siteId":
		"senden Sie die Prognose jener Anlage, oder löschen Sie msg.siteId",
	"The forecast is of site {site}, but this node follows site {followed}":
		"Die Prognose ist von Anlage {site}, dieser Node folgt aber Anlage {followed}",
	"give each site a node of its own, or set msg.siteId to {site} to follow that site from now on":
		"geben Sie jeder Anlage einen eigenen Node, oder setzen Sie msg.siteId auf {site}, um von nun an jener zu folgen",
	"msg.siteId is {asked}, but this node follows site {site}":
		"msg.siteId ist {asked}, dieser Node folgt aber Anlage {site}",
	"ask the node of that site": "fragen Sie den Node jener Anlage",
	"The message names no site": "Die Nachricht nennt keine Anlage",
	"hand on msg.solar or the topic <prefix>/<site_id>/now":
		"reichen Sie msg.solar oder das Topic <prefix>/<site_id>/now weiter",

	"hand on the payload of a solar-yield-now node unchanged":
		"reichen Sie den Payload eines solar-yield-now-Nodes unverändert weiter",
	"hand on msg.solar as a solar-yield-forecast node sends it, or delete it":
		"reichen Sie msg.solar weiter, wie ein solar-yield-forecast-Node es sendet, oder löschen Sie es",
	"hand on msg.quota as a solar-yield-forecast node sends it, or delete it":
		"reichen Sie msg.quota weiter, wie ein solar-yield-forecast-Node es sendet, oder löschen Sie es",
	'give a time as ISO 8601 ("2026-07-01T12:00:00+02:00", or without an offset in the site\'s zone {zone}), or as epoch milliseconds':
		'geben Sie eine Zeit nach ISO 8601 an ("2026-07-01T12:00:00+02:00", oder ohne Abstand zu UTC in der Zone der Anlage, {zone}), oder in Millisekunden seit 1970',
	"from ({from}) lies after to ({to})": "from ({from}) liegt nach to ({to})",
	"give the earlier time first": "geben Sie die frühere Zeit zuerst an",

	// — export —
	"give a name without blanks, commas, quotes and backslashes":
		"geben Sie einen Namen ohne Leerzeichen, Kommas, Anführungszeichen und umgekehrte Schrägstriche an",
	"give a topic without +, #, blanks, and without / at its ends":
		"geben Sie ein Topic ohne +, # und Leerzeichen und ohne / an den Enden an",
	"msg.siteId is {asked}, and forecasts are known of {known}":
		"msg.siteId ist {asked}, bekannt sind Prognosen von {known}",
	"set it to one of them": "setzen Sie es auf eine davon",
	"The address asks for site {asked}, and forecasts are known of {known}":
		"Die Adresse fragt nach der Anlage {asked}, bekannt sind Prognosen von {known}",
	"ask for one of them": "fragen Sie nach einer davon",
	"ask for auto, {zone} or UTC": "fragen Sie nach auto, {zone} oder UTC",
	"Home Assistant would refuse entity {key}: {field} is {value}":
		"Home Assistant würde die Entität {key} ablehnen: {field} ist {value}",
	"please report this, the other formats are not affected":
		"melden Sie das bitte, die anderen Formate betrifft es nicht",
	"The forecast has no power from {from} to {to}, which is too long to be interpolated, and {reader} would plan with a wrong curve":
		"Die Prognose hat keine Leistung von {from} bis {to}; das ist zu lang, um es zu interpolieren, und {reader} würde mit einer falschen Kurve planen",
	"nothing is sent until a forecast without that gap arrives":
		"es wird nichts gesendet, bis eine Prognose ohne diese Lücke kommt",
	"The forecast holds no whole step from now on: its rows reach from {from} to {to}":
		"Die Prognose enthält von jetzt an keinen ganzen Schritt: Ihre Zeilen reichen von {from} bis {to}",
	"The forecast of {time} holds no whole day from today on":
		"Die Prognose von {time} enthält von heute an keinen ganzen Tag",
	"an unknown time": "unbekannter Zeit",
	"nothing is sent until a newer forecast arrives, see the status of the forecast node":
		"es wird nichts gesendet, bis eine neuere Prognose kommt; siehe den Status des Prognose-Nodes",
	"The forecast holds no pv_power, which {format} is made of":
		"Die Prognose enthält kein pv_power, woraus {format} gemacht wird",
	"select the group default in the forecast node":
		"wählen Sie im Prognose-Node die Gruppe default",
	"The forecast is of site {site}, but the document of this node holds site {followed} and would be overwritten":
		"Die Prognose ist von Anlage {site}, das Dokument dieses Nodes enthält aber Anlage {followed} und würde überschrieben",
	"add the sites with a solar-yield-sum node, give each a node of its own, or set msg.siteId to {site} for an answer about that one":
		"addieren Sie die Anlagen mit einem solar-yield-sum-Node, geben Sie jeder einen eigenen Node, oder setzen Sie msg.siteId auf {site} für eine Antwort über jene",
	"{option#} is {value} for format {format}":
		"{option} ist {value} beim Format {format}",
	"give a whole number from {least} to {most}":
		"geben Sie eine ganze Zahl von {least} bis {most} an",
	"A list has no times, and EMHASS begins it with the running step only where its method_ts_round is first":
		"Eine Liste hat keine Zeiten, und EMHASS beginnt sie nur dann mit dem laufenden Schritt, wenn sein method_ts_round auf first steht",
	"set that in EMHASS and choose rounding first here, or choose shape dict":
		"stellen Sie das in EMHASS ein und wählen Sie hier die Rundung first, oder wählen Sie die Form dict",
	"Home Assistant would drop the attribute {name}":
		"Home Assistant würde das Attribut {name} weglassen",
	"A day's curve has {bytes} bytes, and Home Assistant records fewer than {most} only":
		"Die Kurve eines Tages hat {bytes} Bytes, Home Assistant zeichnet nur weniger als {most} auf",
	"please report this": "melden Sie das bitte",
	"what export nodes no longer publish has to be removed from the broker and from Home Assistant by hand":
		"was Export-Nodes nicht mehr veröffentlichen, muss von Hand aus Broker und Home Assistant entfernt werden",
	"after a restart, what export nodes no longer publish has to be removed from the broker and from Home Assistant by hand":
		"nach einem Neustart muss von Hand aus Broker und Home Assistant entfernt werden, was Export-Nodes nicht mehr veröffentlichen",
	"The file {file} cannot be used ({reason})":
		"Die Datei {file} ist nicht zu verwenden ({reason})",
	"make the folder writable": "machen Sie den Ordner beschreibbar",
	"ask for one of {choices*}, or leave it out":
		"fragen Sie nach einem davon: {choices}, oder lassen Sie es weg",
	"ask for a whole number of days, or leave it out":
		"fragen Sie nach einer ganzen Zahl von Tagen, oder lassen Sie es weg",

	// — sum —
	"give the ids of the sites, one per line, or leave it blank for all":
		"geben Sie die IDs der Anlagen an, eine je Zeile, oder nichts für alle",
	"sites names {id} twice, and it would count twice":
		"sites nennt {id} zweimal, und sie zählte doppelt",
	"name each site once": "nennen Sie jede Anlage einmal",
	"give the limit in W as a number above 0, or leave it blank for none":
		"geben Sie die Grenze in W als Zahl über 0 an, oder nichts für keine",
	"sumId is {id}, which is one of the sites":
		"sumId ist {id}, und das ist eine der Anlagen",
	"give the sum an id of its own": "geben Sie der Summe eine eigene ID",
	"The forecast is of site {id}, which is this sum itself":
		"Die Prognose ist von Anlage {id}, und das ist diese Summe selbst",
	"do not lead its output back, or give it another sumId":
		"führen Sie ihren Ausgang nicht zurück, oder geben Sie ihr eine andere sumId",

	"Site {id} is demo data and site {other} is not":
		"Anlage {id} sind Demodaten, Anlage {other} nicht",
	"add sites of one account": "addieren Sie Anlagen eines einzigen Kontos",
	"Site {id} lies in {zone} and site {other} in {otherZone}, which have different days":
		"Anlage {id} liegt in {zone} und Anlage {other} in {otherZone}, die verschiedene Tage haben",
	"add sites of one time zone only":
		"addieren Sie nur Anlagen einer einzigen Zeitzone",
	"The forecasts of {ids} have no quarter hour in common, so there is nothing to add":
		"Die Prognosen von {ids} haben keine Viertelstunde gemeinsam, es gibt also nichts zu addieren",
	"see that all of them are up to date":
		"sorgen Sie dafür, dass alle aktuell sind",

	// — battery —
	"minSoc is {least} and maxSoc {most} (percent)":
		"minSoc ist {least} und maxSoc {most} (Prozent)",
	"give a minSoc below maxSoc": "geben Sie ein minSoc unter maxSoc an",
	"{name#} ends at {time}, and that is over":
		"{name} endet am {time}, und das ist vorbei",
	"send rows of the time to come": "senden Sie Zeilen der kommenden Zeit",
	"soc is {percent}, and has been between 0 and 1 for {count} times in a row":
		"soc ist {percent} und lag {count}-mal nacheinander zwischen 0 und 1",
	"percent is meant, 0 to 100: multiply a fraction by 100":
		"gemeint sind Prozent, 0 bis 100: multiplizieren Sie einen Anteil mit 100",
	"{at#}.end is {end}, which is not after its start {start}":
		"{at}.end ist {end}, und das liegt nicht nach seinem Anfang {start}",
	"give the end of the span": "geben Sie das Ende der Spanne an",
	"give the end of the span, or none":
		"geben Sie das Ende der Spanne an, oder keines",
	"{name#} begins before the end of {before#}":
		"{name} beginnt vor dem Ende von {before}",
	"give each time one power": "geben Sie jeder Zeit eine Leistung",
	"give each time one price": "geben Sie jeder Zeit einen Preis",
	"{name#} is {row} and has no price": "{name} ist {row} und hat keinen Preis",
	"{name#} has {count} rows and none has a price":
		"{name} hat {count} Zeilen, und keine hat einen Preis",
	"send them again when prices are known":
		"senden Sie sie noch einmal, wenn Preise bekannt sind",
	"The forecast has no power for the running quarter hour":
		"Die Prognose hat keine Leistung für die laufende Viertelstunde",
	"send a forecast that covers the present":
		"senden Sie eine Prognose, die die Gegenwart enthält",
	"Settings that messages have given were taken back, since they no longer fit those of the dialog: {message}":
		"Einstellungen aus Nachrichten wurden zurückgenommen, da sie nicht mehr zu denen des Dialogs passen: {message}",

	"soc is {percent}, {minutes} min after {last} %, and the battery cannot have given so much since":
		"soc ist {percent}, {minutes} min nach {last} %, und so viel kann die Batterie seither nicht abgegeben haben",
	"{advice!} (the last one stays)": "{advice} (der letzte Wert bleibt)",
	"round trip, 0.9 = 90 %": "hin und zurück, 0.9 = 90 %",
	"kWh per day": "kWh am Tag",
	"W, or blank for none": "W, oder nichts für keine",
	"percent, or blank": "Prozent, oder nichts",
	percent: "Prozent",
	"Some of what this node remembers cannot be read and is forgotten ({what})":
		"Manches von dem, was dieser Node sich merkt, ist nicht zu lesen und vergessen ({what})",
	"send it again": "senden Sie es noch einmal",
	"{name#} is {value} for the second time":
		"{name} ist zum zweiten Mal {value}",
	"give each need a name of its own":
		"geben Sie jedem Bedarf einen eigenen Namen",
	"give each of several needs a name":
		"geben Sie jedem von mehreren Bedarfen einen Namen",
	'give {"kwh": 1.2}, {"hours": 2} or both':
		'geben Sie {"kwh": 1.2}, {"hours": 2} oder beides an',
	"{name#} has {count} entries": "{name} hat {count} Einträge",
	"give at most {most}": "geben Sie höchstens {most} an",
	"load has {count} values": "load hat {count} Werte",
	"give 24, one per hour of the site's day from midnight on":
		"geben Sie 24 an, einen je Stunde des Tages der Anlage von Mitternacht an",
	"give a power in W, 24 hourly values, or an array of {start, end, power_w}":
		"geben Sie eine Leistung in W, 24 Stundenwerte oder eine Liste von {start, end, power_w} an",
	'give [{"soc": 80, "by": "07:00"}]':
		'geben Sie [{"soc": 80, "by": "07:00"}] an',
	"give a list of strings": "geben Sie eine Liste von Strings an",
	"The settings are {value}": "Die Einstellungen sind {value}",
	"send an object of {names*}": "senden Sie ein Objekt mit {names}",
	"give {start, end, power_w}": "geben Sie {start, end, power_w} an",
	'give an object of settings by name, like {"minSoc": 20}':
		'geben Sie ein Objekt von Einstellungen mit ihren Namen an, wie {"minSoc": 20}',
	"give rows with a start (start, startsAt, start_timestamp, time, from, valid_from) and a price per kWh (price, total, value, marketprice, value_inc_vat)":
		"geben Sie Zeilen mit einem Anfang (start, startsAt, start_timestamp, time, from, valid_from) und einem Preis je kWh an (price, total, value, marketprice, value_inc_vat)",
	'give a unit of a price like "EUR/kWh", "EUR/MWh" or "ct/kWh"':
		'geben Sie die Einheit eines Preises an, wie "EUR/kWh", "EUR/MWh" oder "ct/kWh"',
	"prices are about {price} per kWh, beside a feed-in price of {feedIn}":
		"die Preise liegen bei {price} je kWh, neben einer Einspeisevergütung von {feedIn}",
	'if they are in another unit say so beside the rows, like {"unit": "ct/kWh", "prices": [...]} or "EUR/MWh" (they are used as they are, and this is asked once)':
		'haben sie eine andere Einheit, sagen Sie das neben den Zeilen, wie {"unit": "ct/kWh", "prices": [...]} oder "EUR/MWh" (sie werden verwendet, wie sie sind, und das wird einmal gefragt)',

	// — history —
	"params.{name} is {value}": "params.{name} ist {value}",
	"the node has a property for it, use that":
		"der Node hat dafür eine Eigenschaft, verwenden Sie die",
	"give an object with names and values of query parameters":
		"geben Sie ein Objekt mit Namen und Werten von Abfrageparametern an",
	"give a text, a number or true or false":
		"geben Sie einen Text, eine Zahl oder true oder false an",
	"period is {period} and {date#} is given as well":
		"period ist {period}, und {date} ist ebenfalls angegeben",
	"give either a period or both dates":
		"geben Sie entweder einen Zeitraum oder beide Daten an",
	"give a date of the site's calendar as YYYY-MM-DD":
		"geben Sie ein Datum im Kalender der Anlage als YYYY-MM-DD an",
	"give a number with d for days, m for months or y for years, such as 7d, or give startDate and endDate":
		"geben Sie eine Zahl mit d für Tage, m für Monate oder y für Jahre an, etwa 7d, oder geben Sie startDate und endDate an",
	"endDate is {end} and lies before startDate {start}":
		"endDate ist {end} und liegt vor startDate {start}",
	"give the earlier date as startDate":
		"geben Sie das frühere Datum als startDate an",
	"startDate is {start} and lies in the future":
		"startDate ist {start} und liegt in der Zukunft",
	"history ends today, a solar-yield-forecast node knows what comes":
		"die Historie endet heute, ein solar-yield-forecast-Node weiß, was kommt",
	'give "site" for a stored site or "inline" for a system described in msg.inline':
		'geben Sie "site" für eine gespeicherte Anlage an oder "inline" für ein System in msg.inline',

	// — sites —
	"operation is missing": "operation fehlt",
	"choose it in the node, or set msg.operation to one of {choices}":
		"wählen Sie sie im Node, oder setzen Sie msg.operation auf eines davon: {choices}",
	"siteId is missing": "siteId fehlt",
	"set msg.siteId, or choose a site in the node or the account":
		"setzen Sie msg.siteId, oder wählen Sie eine Anlage im Node oder im Konto",
	"{operation#} needs its site said outright, the account's default does not count":
		"{operation} verlangt eine ausdrücklich genannte Anlage, die Vorgabe des Kontos zählt nicht",
	"set msg.siteId, or choose the site in the node":
		"setzen Sie msg.siteId, oder wählen Sie die Anlage im Node",
	"The payload changes nothing": "Der Payload ändert nichts",
	"give what is to change: {fields}":
		"geben Sie an, was sich ändern soll: {fields}",
	"the change may have been made all the same and is not repeated: look at the account's sites first":
		"die Änderung kann trotzdem geschehen sein und wird nicht wiederholt: sehen Sie zuerst nach den Anlagen des Kontos",
	"The change was made, but the site could not be read afterwards: {what}":
		"Die Änderung ist geschehen, die Anlage war danach aber nicht zu lesen: {what}",
	"do not repeat it, look at the account's sites":
		"wiederholen Sie sie nicht, sehen Sie nach den Anlagen des Kontos",
	"The site has no string {id}": "Die Anlage hat keinen String {id}",
	"its strings are {strings}": "ihre Strings sind {strings}",
	"The update would remove stored strings and their measurements: {ids}":
		"Die Änderung würde gespeicherte Strings und ihre Messwerte entfernen: {ids}",
	"send them along with their ids, use add-string or update-string, or set msg.removeStrings to true":
		"senden Sie sie mit ihren IDs mit, verwenden Sie add-string oder update-string, oder setzen Sie msg.removeStrings auf true",
	"give the tilt in degrees, from 0 (flat) to 90 (upright)":
		"geben Sie die Neigung in Grad an, von 0 (flach) bis 90 (senkrecht)",
	"give the compass direction in degrees, from 0 to 360: 90 is east, 180 south, 270 west (from −180 … 180 with 0 in the south add 180)":
		"geben Sie die Himmelsrichtung in Grad an, von 0 bis 360: 90 ist Osten, 180 Süden, 270 Westen (zu −180 … 180 mit 0 im Süden addieren Sie 180)",
	"give the peak power in kW, above 0":
		"geben Sie die Nennleistung in kW an, über 0",
	"give degrees north, from -90 to 90":
		"geben Sie Grad nördlicher Breite an, von -90 bis 90",
	"give degrees east, from -180 to 180":
		"geben Sie Grad östlicher Länge an, von -180 bis 180",
	"give a list of at least one string":
		"geben Sie eine Liste mit wenigstens einem String an",
	"No strings were given, so the service has added a default string of 10 kWp facing south (orientation 180) with slope 30":
		"Es wurden keine Strings angegeben, daher hat der Dienst einen String mit 10 kWp nach Süden (orientation 180) mit Neigung 30 hinzugefügt",
	"change it with update-string": "ändern Sie ihn mit update-string",
	"The site is temporary and is deleted on {date}":
		"Die Anlage ist befristet und wird am {date} gelöscht",
	"restore makes it permanent": "restore macht sie dauerhaft",
	"The site is deleted": "Die Anlage ist gelöscht",
	"The site had been deleted before": "Die Anlage war schon gelöscht",
	"restore brings it back until {date}, then it is removed for good":
		"restore bringt sie bis {date} zurück, danach ist sie endgültig entfernt",
	"restore brings it back within 30 days, then it is removed for good":
		"restore bringt sie innerhalb von 30 Tagen zurück, danach ist sie endgültig entfernt",

	"give {fields*} or {last#}": "geben Sie {fields} oder {last} an",
	"give what is to change: {fields*} or {last#}":
		"geben Sie an, was sich ändern soll: {fields} oder {last}",
	"temporary can only be given when a site is created":
		"temporary lässt sich nur beim Anlegen einer Anlage angeben",
	"use restore to make a temporary site permanent":
		"restore macht eine befristete Anlage dauerhaft",
	"The site was temporary and is permanent now":
		"Die Anlage war befristet und ist jetzt dauerhaft",
	"{path#} was {before} and is {after}, although the change did not name it":
		"{path} war {before} und ist {after}, obwohl die Änderung es nicht nannte",
	"not set any more": "nicht mehr gesetzt",
	"now {value}": "jetzt {value}",
	"send it again if it is to stay as it was":
		"senden Sie es noch einmal, wenn es bleiben soll, wie es war",
	"The service has added {what} of its own beside those given ({strings})":
		"Der Dienst hat neben den angegebenen von sich aus {what} hinzugefügt ({strings})",
	"a string": "einen String",
	"take out what is not on the roof with remove-string":
		"nehmen Sie mit remove-string heraus, was nicht auf dem Dach ist",
	"The location can be changed only once in 30 days, so the next time from {date} on (before this one, {last})":
		"Der Ort lässt sich nur einmal in 30 Tagen ändern, das nächste Mal also ab {date} (davor: {last})",
	"no change was seen from here": "von hier aus wurde keine Änderung gesehen",
	"the last change was seen on {date}":
		"die letzte Änderung wurde am {date} gesehen",
	"a number, in % per °C, such as -0.35": "eine Zahl in % je °C, etwa -0.35,",
	"give a year, such as 2019": "geben Sie ein Jahr an, etwa 2019",
	degrees: "Grad",
	"metres, 0 or more": "Meter, 0 oder mehr,",
	"% of the DC rated power, above 0": "% der DC-Nennleistung, über 0,",
	"% of the DC rated power, 0 or more": "% der DC-Nennleistung, 0 oder mehr,",
	"give the name of a diffuse model":
		"geben Sie den Namen eines Diffusmodells an",
	"give an object with latitude, longitude, strings and config":
		"geben Sie ein Objekt mit latitude, longitude, strings und config an",
	"give an object with latitude and longitude, and name, strings and config if you like":
		"geben Sie ein Objekt mit latitude und longitude und, wenn Sie wollen, name, strings und config an",
	"system is no JSON": "system ist kein JSON",
	"correct it": "berichtigen Sie es",
	"one without an id": "einer ohne ID",
	"The service's answer has {what!}, so a change of the strings would lose them and their measurements":
		"Die Antwort des Dienstes hat {what}; eine Änderung der Strings würde sie und ihre Messwerte verlieren",
	"no strings": "keine Strings",
	"no id for strings[{index#}]": "keine ID für strings[{index}]",
	"change them in the service's web app":
		"ändern Sie sie in der Web-App des Dienstes",
	"The string's id is {id}": "Die ID des Strings ist {id}",
	"give it as id in the payload or as msg.stringId":
		"geben Sie sie als id im Payload oder als msg.stringId an",
	"The string is named {id} and {other}": "Der String heißt {id} und {other}",
	"give one id": "geben Sie eine einzige ID an",
	"The service has not kept the strings {ids}, although they were sent with their ids":
		"Der Dienst hat die Strings {ids} nicht behalten, obwohl sie mit ihren IDs gesendet wurden",
	"The payload is {value}": "Der Payload ist {value}",
	"The payload is missing": "Der Payload fehlt",
	"The payload is the record of site {id}, but site {other} is to be changed":
		"Der Payload ist der Datensatz von Anlage {id}, geändert werden soll aber Anlage {other}",
	"set msg.siteId to the site that is meant":
		"setzen Sie msg.siteId auf die gemeinte Anlage",
	"The payload cannot be sent, since it holds itself or values that JSON has no form for":
		"Der Payload lässt sich nicht senden, da er sich selbst enthält oder Werte, für die JSON keine Form hat",
	"give plain values": "geben Sie einfache Werte an",
	"give an object with {fields*}": "geben Sie ein Objekt mit {fields} an",
	"give an object with slope, orientation and power_kw":
		"geben Sie ein Objekt mit slope, orientation und power_kw an",
	"give an object with latitude, longitude, and name, strings and config if you like":
		"geben Sie ein Objekt mit latitude, longitude und, wenn Sie wollen, name, strings und config an",
	"give an object with what is to change: name, latitude, longitude, strings, config":
		"geben Sie ein Objekt mit dem an, was sich ändern soll: name, latitude, longitude, strings, config",
	"give the ground coverage ratio, from 0 to 1, or leave it out":
		"geben Sie den Anteil bedeckten Bodens an, von 0 bis 1, oder lassen Sie ihn weg",
	"give the id of a stored string, or leave it out for a new one":
		"geben Sie die ID eines gespeicherten Strings an, oder lassen Sie sie bei einem neuen weg",
	"leave it out, the service gives a new string its id (to change a stored one use update-string)":
		"lassen Sie sie weg, der Dienst gibt einem neuen String seine ID (einen gespeicherten ändert update-string)",
	"{path#} is {id}, which is named twice":
		"{path} ist {id} und ist zweimal genannt",
	"{path#} is {id}, which is none of the site's strings ({strings})":
		"{path} ist {id} und keiner der Strings der Anlage ({strings})",
	"leave the id out for a new string":
		"lassen Sie die ID bei einem neuen String weg",
	"{id} is the site's only string: without it the site has no forecast, and its measurements are lost":
		"{id} ist der einzige String der Anlage: Ohne ihn hat sie keine Prognose, und seine Messwerte gehen verloren",
	"set msg.removeStrings to true if that is meant, or change the string with update-string":
		"setzen Sie msg.removeStrings auf true, wenn das gemeint ist, oder ändern Sie den String mit update-string",
	"the site was created all the same, as {id}: look at its strings, and do not create it again":
		"die Anlage wurde trotzdem angelegt, als {id}: sehen Sie nach ihren Strings, und legen Sie sie nicht noch einmal an",
	"check the site id, and note that a deleted site is removed for good after 30 days":
		"prüfen Sie die ID der Anlage; eine gelöschte Anlage ist nach 30 Tagen endgültig entfernt",
	"{advice!}, and note that the location of a site can be changed only once in 30 days{seen?}":
		"{advice}; der Ort einer Anlage lässt sich nur einmal in 30 Tagen ändern{seen}",
	" (no change was seen from here)":
		" (von hier aus wurde keine Änderung gesehen)",
	" (the last change was seen on {date})":
		" (die letzte Änderung wurde am {date} gesehen)",
	"the Sites API": "die Schnittstelle der Anlagen",
	"the answer names no site, and the list holds {count} new ones":
		"die Antwort nennt keine Anlage, und die Liste enthält {count} neue",
	"look at the account's sites": "sehen Sie nach den Anlagen des Kontos",

	// — learning —
	"msg.string_id is {id}, which is no string of the forecast, whose strings are {ids}":
		"msg.string_id ist {id}, kein String der Prognose, deren Strings {ids} sind",
	"give one of these, or choose the group Strings in the forecast node":
		"geben Sie einen davon an, oder wählen Sie im Prognose-Node die Gruppe Strings",
	'give a time that is not ahead of now, with its offset, like "2026-07-01T12:00:00+02:00", or in epoch milliseconds, and check the clocks of both machines':
		'geben Sie eine Zeit an, die nicht in der Zukunft liegt, mit Abstand zu UTC wie "2026-07-01T12:00:00+02:00" oder in Millisekunden seit 1970, und prüfen Sie die Uhren beider Rechner',
	"give the id of a string of the site, or leave it out for the whole site":
		"geben Sie die ID eines Strings der Anlage an, oder lassen Sie sie für die ganze Anlage weg",
	"give true while the power is held down, else false":
		"geben Sie true an, solange die Leistung begrenzt ist, sonst false",
	"What has been learned cannot be used: {where} ({words})":
		"Das Gelernte ist nicht zu gebrauchen: {where} ({words})",
	"What has been learned is text and no JSON: {text}":
		"Das Gelernte ist Text und kein JSON: {text}",
	"give the payload of an export unchanged":
		"geben Sie den Payload eines Exports unverändert an",
	"What has been learned is of an unknown time zone: {zone}":
		"Das Gelernte ist von einer unbekannten Zeitzone: {zone}",
	"The forecast is this node's own output":
		"Die Prognose ist die eigene Ausgabe dieses Nodes",
	"do not lead it back, and give mqtt out another topic than the forecast's where mqtt in brings it here":
		"führen Sie sie nicht zurück, und geben Sie mqtt out ein anderes Topic als das der Prognose, wo mqtt in sie hierher bringt",
	"The forecast is of site {site}, but what has been learned is of site {other}":
		"Die Prognose ist von Anlage {site}, gelernt wurde aber von Anlage {other}",
	"give each site a node of its own, or send msg.operation = 'reset' to begin anew":
		"geben Sie jeder Anlage einen eigenen Node, oder senden Sie msg.operation = 'reset', um neu zu beginnen",
	"give rows {time, power_w} or {time, energy_kwh}, each time with an offset or in epoch milliseconds":
		"geben Sie Zeilen {time, power_w} oder {time, energy_kwh} an, jede Zeit mit Abstand zu UTC oder in Millisekunden seit 1970",
	"give {choices*}, or leave it out":
		"geben Sie {choices} an, oder lassen Sie es weg",

	"{refused} of {count} rows were left out, the others were taken":
		"{refused} von {count} Zeilen wurden ausgelassen, die anderen genommen",
	"{advice!} ({left!})": "{advice} ({left})",
	"What is to be imported is of site {site}, but the forecast here is of site {other}":
		"Was importiert werden soll, ist von Anlage {site}, die Prognose hier aber von Anlage {other}",
	"import it into the node of its own site":
		"importieren Sie es in den Node der Anlage, von der es ist",

	// — files, clocks, folders —
	"This machine's clock is {minutes} min behind the service's":
		"Die Uhr dieses Rechners geht gegenüber dem Dienst {minutes} min nach",
	"This machine's clock is {minutes} min ahead of the service's":
		"Die Uhr dieses Rechners geht gegenüber dem Dienst {minutes} min vor",
	"have it set over the network (NTP)":
		"lassen Sie sie über das Netzwerk stellen (NTP)",
	"The service's count of the month's requests cannot be read ({text})":
		"Der Zähler des Dienstes für die Abfragen des Monats ist nicht zu lesen ({text})",
	"requests go on by own count, set a budget in the account if its plan has a limit":
		"es wird nach eigener Zählung weiter abgefragt; setzen Sie im Konto ein Budget, wenn der Tarif eine Grenze hat",
	"A stored file was {why} and was set aside as {file}":
		"Eine gespeicherte Datei war {why} und wurde als {file} beiseitegelegt",
	"nothing needs to be done, what it held is asked for anew":
		"es ist nichts zu tun, was sie enthielt, wird neu abgefragt",
	damaged: "beschädigt",
	"The folder {folder} cannot be used ({reason})":
		"Der Ordner {folder} ist nicht zu verwenden ({reason})",
	"forecasts are kept in memory only, and a restart costs a request; make the folder writable":
		"Prognosen bleiben nur im Arbeitsspeicher, und ein Neustart kostet eine Abfrage; machen Sie den Ordner beschreibbar",
	"The folder {folder} with the stored forecasts was there at an earlier start and is gone, so that this start costs a request for each site":
		"Der Ordner {folder} mit den gespeicherten Prognosen war bei einem früheren Start da und ist verschwunden, so dass dieser Start für jede Anlage eine Abfrage kostet",
	"if it goes with each restart, name a folder that is kept by solarYield.folder in settings.js or SOLAR_YIELD_FOLDER":
		"verschwindet er mit jedem Neustart, nennen Sie mit solarYield.folder in settings.js oder SOLAR_YIELD_FOLDER einen Ordner, der bleibt",
	"The file of what this node remembers was damaged and was set aside as {file}":
		"Die Datei mit dem, was dieser Node sich merkt, war beschädigt und wurde als {file} beiseitegelegt",
	"nothing needs to be done, the node begins anew":
		"es ist nichts zu tun, der Node beginnt von vorn",
	"What this node remembers cannot be kept on disk ({code} at {file}): a restart will forget it":
		"Was dieser Node sich merkt, lässt sich nicht auf der Platte behalten ({code} bei {file}): Ein Neustart vergisst es",
	"let Node-RED write there": "lassen Sie Node-RED dort schreiben",
};
