// What every page has: dashboards.cjs puts each part where a page says "Shared".
export default {
	mounted() {
		this.watcher = new ResizeObserver(([entry]) => {
			this.width = Math.max(280, entry.contentRect.width);
		});
		this.watcher.observe(this.$refs.root);
	},
	unmounted() {
		this.watcher.disconnect();
	},
	computed: {
		locale() {
			const wanted = this.seen.language || navigator.language;
			return wanted.startsWith("de") ? "de" : "en";
		},
		w() {
			return this.all[this.locale];
		},
		status() {
			return this.seen.status?.solar || {};
		},
		zone() {
			return this.solar.timezone || this.status.timezone || "UTC";
		},
	},
	methods: {
		/** What a site goes by: a demo's site and one of the same id are two. */
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
			return of === undefined || of === this.keyOf(status.solar);
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
					setup:
						"The forecast node cannot work: {text}. Open it in the editor.",
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
		fill(text, values) {
			return text.replace(/\{(\w+)\}/g, (_, name) => values[name]);
		},
		/** A text of the page, by its name. */
		say(name, values) {
			return this.fill(this.w[name], values);
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
			return this.number(kwh, Math.abs(kwh) >= 99.95 ? 0 : 1);
		},
		power(kw) {
			return this.number(kw, kw < 0.995 ? 2 : 1);
		},
		/** A time in the site's zone and the page's language. */
		said(time, options, locale = this.locale) {
			return new Intl.DateTimeFormat(locale, {
				timeZone: this.zone,
				...options,
			}).format(time);
		},
		clock(time) {
			return this.said(time, {
				hour: "2-digit",
				minute: "2-digit",
				hourCycle: "h23",
			});
		},
		date(time) {
			return this.said(time, { dateStyle: "short" }, "sv-SE");
		},
		dayName(time, weekday = "short") {
			return `${this.said(time, { weekday })} ${this.said(time, { day: "numeric" })}${this.locale === "de" ? "." : ""}`;
		},
		when(time) {
			const now = this.now || Date.parse(this.status.at);
			if (this.date(time) === this.date(now)) return this.clock(time);
			const isFar = Math.abs(time - now) > 6 * 86400000;
			return `${this.said(time, isFar ? { day: "numeric", month: "short" } : { weekday: "short" })} ${this.clock(time)}`;
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
		/** The axis of values between two heights. */
		scale(ticks, top, bottom) {
			const [least, next] = ticks;
			const step = next - least;
			const digits = step < 0.09 ? 2 : step % 1 ? 1 : 0;
			const y = (value) =>
				bottom - ((value - least) / (ticks.at(-1) - least)) * (bottom - top);
			return {
				top,
				bottom,
				y,
				rows: ticks.map((value) => ({
					value,
					y: y(value),
					text: this.number(value, digits),
				})),
			};
		},
		/** The axis of times between two edges: hours, and days that have room for their name. */
		timeline(from, to, left, right) {
			const x = (time) => left + ((time - from) / (to - from)) * (right - left);
			const every =
				[3, 6, 12].find(
					(it) => ((to - from) / 3600000 / it) * 48 <= right - left,
				) || 24;
			const columns = [];
			const days = {};
			for (
				let time = Math.ceil(from / 900000) * 900000;
				time <= to;
				time += 900000
			) {
				const text = this.clock(time);
				if (text.endsWith(":00") && parseInt(text, 10) % every === 0)
					columns.push({ time, text, x: x(time) });
				const name = this.dayName(time);
				days[name] = [days[name]?.[0] ?? x(time), x(time)];
			}
			return {
				left,
				right,
				x,
				columns,
				days: Object.entries(days)
					.filter(([, [start, end]]) => end - start > 60)
					.map(([text, [start, end]]) => ({ text, x: (start + end) / 2 })),
			};
		},
		path(points, x, y) {
			return points
				.map(
					([time, value], index) =>
						`${index === 0 || time - points[index - 1][0] > 1800000 ? "M" : "L"}${x(time).toFixed(1)} ${y(value).toFixed(1)}`,
				)
				.join("");
		},
		/** What lies between a line and another, or the ground. */
		area(upper, x, y, lower = upper.map(([time]) => [time, 0])) {
			if (upper.length < 2) return "";
			const go = (points) =>
				points
					.map(
						([time, value]) => `${x(time).toFixed(1)} ${y(value).toFixed(1)}`,
					)
					.join("L");
			return `M${go(upper)}L${go([...lower].reverse())}Z`;
		},
	},
};
