import { isBlank } from "../../../src/util/guards";
import type { CheckAnswer, SiteChoice } from "../dialog-answers";
import { variableOf } from "../variable";
import { request } from "./request";
import { siteNames } from "./site-label";
import { note, number, say } from "./words";

/** An account as it stands in the editor; an id that is blank or `_ADD_` means none. */
export interface EditedAccount {
	readonly id: unknown;
	readonly demo: boolean;
	readonly baseUrl: unknown;
	readonly apiKey: unknown;
}

export const siteName = ({ name, site_id }: SiteChoice): string =>
	name || site_id;

/** What tells a site from others, beside its name. */
const siteDetails = ({
	site_id,
	power_kw,
	strings,
	timezone,
	state,
}: SiteChoice): string =>
	[
		site_id,
		say("common.sites.power", { power: number(power_kw, 2) }),
		say("common.sites.strings", { count: strings }),
		timezone,
		state !== "active" && say(`common.sites.state.${state}`),
	]
		.filter(Boolean)
		.join(" · ");

/** Lines of the list: those that hold what was typed, all when it is a whole id. */
function choicesOf(sites: readonly SiteChoice[], text: string) {
	const typed = text.trim().toLowerCase();
	const isChosen = sites.some(({ site_id }) => site_id === text);
	return sites
		.filter(
			(site) =>
				isChosen ||
				`${siteName(site)} ${site.site_id}`.toLowerCase().includes(typed),
		)
		.map((site) => ({
			value: site.site_id,
			label: $("<span>")
				.text(siteName(site))
				.append(
					$("<span>", { class: "solar-yield-menu-note" }).text(
						siteDetails(site),
					),
				),
		}));
}

/**
 * Offers the sites of an account in a text field, where an id can be typed as well.
 *
 * @returns `check`, which asks for the sites anew, free of charge, and `open`, which shows their list
 */
export function sitePicker({
	field,
	button,
	hint,
	account,
}: {
	readonly field: JQuery;
	readonly button: JQuery;
	readonly hint: JQuery;
	account(): EditedAccount;
}) {
	let known:
		| {
				readonly settings: string;
				readonly answer: Promise<CheckAnswer>;
				sites?: readonly SiteChoice[];
		  }
		| undefined;

	function check(): Promise<CheckAnswer> {
		const settings = account();
		const name = variableOf(settings.id);
		if (name !== undefined) {
			const text = say("common.failure.account_variable", { name });
			return Promise.reject(new Error(text));
		}
		if (isBlank(settings.id) || settings.id === "_ADD_") {
			return Promise.reject(new Error(say("common.failure.no_account")));
		}
		const answer = request<CheckAnswer>("POST", "check", settings);
		const asked: NonNullable<typeof known> = {
			settings: JSON.stringify(settings),
			answer,
		};
		known = asked;
		answer.then(
			({ sites }) => {
				asked.sites = sites;
				for (const site of sites) siteNames()[site.site_id] = siteName(site);
			},
			() => {
				if (known === asked) known = undefined;
			},
		);
		return answer;
	}

	const load = () =>
		known?.settings === JSON.stringify(account()) ? known.answer : check();

	function describe(): void {
		const site = known?.sites?.find(({ site_id }) => site_id === field.val());
		note(hint, site ? `${siteName(site)} · ${siteDetails(site)}` : "");
	}

	// The widget takes every key for typing: Shift+Tab into the field would open its
	// list, and the next Tab would choose from it.
	field.on("keyup", (event) => {
		if (["Shift", "Control", "Alt", "Meta"].includes(event.key ?? "")) {
			event.stopImmediatePropagation();
		}
	});
	field.autoComplete({
		minLength: 0,
		search(text, done) {
			load().then(
				({ sites }) => {
					const found = choicesOf(sites, text);
					if (found.length > 0) describe();
					else note(hint, say("common.sites.none"));
					done(found);
				},
				(error: Error) => {
					note(hint, error.message, true);
					done([]);
				},
			);
		},
	});
	field.on("change", describe);
	/** The widget opens its list on a key; the down arrow writes nothing. */
	const open = () => {
		field.trigger($.Event("keyup", { keyCode: 40 }));
	};
	button.on("click", open);
	return { check, open };
}
