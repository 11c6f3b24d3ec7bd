import { inputError } from "../../src/service/errors/solar-yield-error";
import { show } from "../../src/service/v2/schema-errors";
import { isObject } from "../../src/util/guards";
import { Zone } from "../../src/util/zone";
import { WINDOW_SETTINGS, type WindowSetting } from "../../src/window/settings";
import { priceDays, twoDays } from "../shared/two-days";
import type { WindowPreview, WindowsAnswer } from "./dialog-answers";
import type { WindowNode, WindowSource } from "./window-node";

function windowsAnswer(
	source: WindowSource,
	properties?: Readonly<Record<string, unknown>>,
): WindowsAnswer {
	const { windows, why, shortage, oldHours, lacksPrices } =
		source.outputWith(properties);
	const overridden = Object.keys(source.state().overrides) as WindowSetting[];
	return { windows, why, shortage, oldHours, lacksPrices, overridden };
}

/** The curve of today and tomorrow and the windows of a deployed node, undefined where there is none. */
export function windowPreview(
	node: WindowNode | null,
): WindowPreview | undefined {
	const source = node?.solarYield;
	if (!source) return undefined;
	const forecast = source.known();
	const { site, prices } = source.state();
	const zone = forecast?.zone ?? Zone.of(site?.zone ?? "");
	return {
		...windowsAnswer(source),
		timezone: zone?.name ?? null,
		...twoDays(forecast, source.now()),
		prices: zone ? priceDays(prices, zone, source.now()) : null,
	};
}

/**
 * The windows that a deployed node would have with other settings.
 *
 * @param settings properties by their names, as a dialog gives them
 * @throws SolarYieldError `INPUT` naming field and value
 */
export function windowsWith(
	node: WindowNode | null,
	settings: unknown,
): WindowsAnswer | undefined {
	const source = node?.solarYield;
	if (!source) return undefined;
	if (!isObject(settings)) {
		throw inputError("window.settings", {
			value: show(settings),
			names: WINDOW_SETTINGS,
		});
	}
	return windowsAnswer(source, settings);
}
