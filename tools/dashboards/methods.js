// Methods of every page: dashboards.cjs puts what stands between the brackets into each.
export default {
	languageOf(wanted) {
		return (wanted || navigator.language).startsWith("de") ? "de" : "en";
	},
	/** What stands for the site of a message: the same as `key` of a status. */
	keyOf({ site_id, demo }) {
		return (demo ? "demo-" : "") + site_id;
	},
	/** Whether a part is of the site that the forecast node now serves. */
	isOwn(part) {
		const { status, solar } = this.seen;
		const of =
			part === "solar" ? solar && this.keyOf(solar) : this.seen[`${part}_of`];
		if (!status) return true;
		if (!status.solar) return status.fill !== "red";
		if (!status.solar.known) return false;
		const key = this.keyOf(status.solar);
		return of === undefined || of === key;
	},
	/** What the forecast node's status says of a forecast that does not come, "" where all is well. */
	whyOf(isShown) {
		const { status } = this.seen;
		const words = {
			en: {
				since: " Since {time}.",
				first: "The first forecast is asked for at {time}.",
				asking: "The first forecast is being asked for.",
				manual: "The forecast node asks when a message comes in.",
				setup: "The forecast node cannot work: {text}. Open it in the editor.",
			},
			de: {
				since: " Seit {time}.",
				first: "Die erste Prognose wird um {time} abgefragt.",
				asking: "Die erste Prognose wird gerade abgefragt.",
				manual: "Der Prognose-Node fragt ab, wenn eine Nachricht eingeht.",
				setup:
					"Der Prognose-Node kann nicht arbeiten: {text}. Öffnen Sie ihn im Editor.",
			},
		}[this.locale];
		if (!status) return "";
		const { solar, fill, text } = status;
		if (!solar) return fill === "red" ? this.fill(words.setup, { text }) : "";
		const { problem, since, next_request_at: next } = solar;
		// Before the first forecast the time may be that of the Node-RED, not of the site.
		const at = (time) =>
			this.when(Date.parse(time)) + (solar.known ? "" : ` ${solar.timezone}`);
		if (problem)
			return `${problem[this.locale]}.${since ? this.fill(words.since, { time: at(since) }) : ""}`;
		if (isShown || solar.known) return "";
		if (next === null) return words.manual;
		return Date.parse(next) - Date.parse(solar.at) < 60000
			? words.asking
			: this.fill(words.first, { time: at(next) });
	},
	/** Keeps of a message what the page shows; a node that goes has a status without words. */
	keep(msg, names) {
		for (const name of names)
			if (msg && msg[name] !== undefined) this.seen[name] = msg[name];
		if (msg?.status?.text) this.seen.status = msg.status;
	},
	number(value, digits) {
		return typeof value !== "number"
			? "–"
			: value.toLocaleString(this.locale, {
					minimumFractionDigits: digits,
					maximumFractionDigits: digits,
				});
	},
	energy(kwh) {
		return this.number(
			kwh,
			typeof kwh === "number" && Math.abs(kwh) >= 99.95 ? 0 : 1,
		);
	},
	power(kw) {
		return this.number(kw, typeof kw === "number" && kw < 0.995 ? 2 : 1);
	},
	clock(time) {
		return new Intl.DateTimeFormat(
			this.locale === "en" ? "en-GB" : this.locale,
			{ hour: "2-digit", minute: "2-digit", timeZone: this.zone },
		).format(time);
	},
	hour(time) {
		return Number(
			new Intl.DateTimeFormat("en-GB", {
				hour: "2-digit",
				hourCycle: "h23",
				timeZone: this.zone,
			}).format(time),
		);
	},
	date(time) {
		return new Intl.DateTimeFormat("sv-SE", {
			dateStyle: "short",
			timeZone: this.zone,
		}).format(time);
	},
	dayName(time, length) {
		const part = (options) =>
			new Intl.DateTimeFormat(this.locale, { ...options, timeZone: this.zone })
				.format(time)
				.replace(/\.$/, "");
		return `${part({ weekday: length || "short" })} ${part({ day: "numeric" })}${this.locale === "de" ? "." : ""}`;
	},
	when(time) {
		const now = this.now || Date.parse(this.status.at);
		if (this.date(time) === this.date(now)) return this.clock(time);
		return Math.abs(time - now) > 6 * 86400000
			? `${new Intl.DateTimeFormat(this.locale, { day: "numeric", month: "short", timeZone: this.zone }).format(time)} ${this.clock(time)}`
			: `${new Intl.DateTimeFormat(this.locale, { weekday: "short", timeZone: this.zone }).format(time)} ${this.clock(time)}`;
	},
	fill(text, values) {
		return text.replace(/\{(\w+)\}/g, (_, name) => values[name]);
	},
	ticks(top, count) {
		const rough = top / count;
		const unit = 10 ** Math.floor(Math.log10(rough || 1));
		const step = [1, 2, 5, 10]
			.map((times) => times * unit)
			.find((it) => it >= rough * 0.999);
		return Array.from(
			{ length: Math.ceil(top / step - 1e-9) + 1 },
			(_, index) => index * step,
		);
	},
	hours(from, to, width) {
		const every =
			[3, 6, 12].find((it) => ((to - from) / 3600000 / it) * 48 <= width) || 24;
		const found = [];
		for (
			let time = Math.ceil(from / 900000) * 900000;
			time <= to;
			time += 900000
		) {
			const text = this.clock(time);
			if (text.endsWith(":00") && this.hour(time) % every === 0)
				found.push({ time, text, isDay: this.hour(time) === 0 });
		}
		return found;
	},
	path(points, x, y) {
		return points
			.map(
				([time, value], index) =>
					`${index === 0 || (time - points[index - 1][0] > 1800000 && !points[index - 1][2]) ? "M" : "L"}${x(time).toFixed(1)} ${y(value).toFixed(1)}`,
			)
			.join("");
	},
	area(lower, upper, x, y) {
		if (upper.length < 2) return "";
		const go = (points) =>
			points
				.map(([time, value]) => `${x(time).toFixed(1)} ${y(value).toFixed(1)}`)
				.join("L");
		return `M${go(upper)}L${go([...lower].reverse())}Z`;
	},
};
