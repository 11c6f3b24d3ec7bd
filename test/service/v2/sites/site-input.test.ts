import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { SolarYieldError } from "../../../../src/service/errors/solar-yield-error";
import {
	readInlineSystem,
	readNewSite,
	readNewString,
	readSiteChange,
	readStringChange,
} from "../../../../src/service/v2/sites/site-input";

const STRING = { slope: 30, orientation: 180, power_kw: 5 };
const SITE = { latitude: 52, longitude: 13 };
const cyclic: Record<string, unknown> = { ...SITE };
cyclic.self = cyclic;

describe("input for sites", () => {
	const refused: [
		read: (value: unknown) => unknown,
		value: unknown,
		words: RegExp,
	][] = [
		[readNewSite, undefined, /^The payload is missing; give an object/],
		[readNewSite, null, /^The payload is null/],
		[readNewSite, [], /^The payload is \[\]/],
		[readNewSite, {}, /^latitude is missing; give degrees/],
		[readNewSite, { ...SITE, latitude: "52" }, /^latitude is "52"/],
		[readNewSite, { ...SITE, latitude: 90.1 }, /^latitude is 90\.1/],
		[readNewSite, { ...SITE, longitude: -181 }, /^longitude is -181/],
		[readNewSite, { ...SITE, latitude: Number.NaN }, /^latitude is null/],
		[readNewSite, { ...SITE, name: 5 }, /^name is 5; give a text/],
		[readNewSite, { ...SITE, temporary: "yes" }, /^temporary is "yes"/],
		[readNewSite, { ...SITE, strings: {} }, /^strings is \{\}; give a list/],
		[readNewSite, { ...SITE, strings: [5] }, /^strings\[0\] is 5/],
		[
			readNewSite,
			{ ...SITE, strings: [STRING, { ...STRING, slope: 91 }] },
			/^strings\[1\]\.slope is 91; give the tilt/,
		],
		[
			readNewSite,
			{ ...SITE, strings: [{ ...STRING, orientation: -1 }] },
			/^strings\[0\]\.orientation is -1/,
		],
		[
			readNewSite,
			{ ...SITE, strings: [{ ...STRING, power_kw: 0 }] },
			/^strings\[0\]\.power_kw is 0/,
		],
		[
			readNewSite,
			{ ...SITE, strings: [{ ...STRING, gcr: 1.1 }] },
			/^strings\[0\]\.gcr is 1\.1/,
		],
		[readNewSite, { ...SITE, config: [] }, /^config is \[\]/],
		[readNewSite, { ...SITE, config: { modules: 1 } }, /^config\.modules is 1/],
		[
			readNewSite,
			{ ...SITE, config: { modules: { technology: "gold" } } },
			/^config\.modules\.technology is "gold"; give one of monosi, multisi, perc, topcon, cdte$/,
		],
		[
			readNewSite,
			{ ...SITE, config: { mounting: { type: "roof" } } },
			/^config\.mounting\.type is "roof"; give one of open, mix, isol$/,
		],
		[
			readNewSite,
			{ ...SITE, config: { tracking: { type: "sun" } } },
			/; give one of fixed, single_axis, dual_axis$/,
		],
		[
			readNewSite,
			{ ...SITE, config: { shading: { use_terrain_horizon: 1 } } },
			/^config\.shading\.use_terrain_horizon is 1; give true or false$/,
		],
		[readNewSite, cyclic, /^The payload cannot be sent/],
		[readSiteChange, { latitude: 95 }, /^latitude is 95/],
		[readSiteChange, { strings: [{ slope: 1 }] }, /^strings\[0\]\.orientation/],
		[
			readSiteChange,
			{ strings: [{ ...STRING, id: 5 }] },
			/^strings\[0\]\.id is 5; give the id of a stored string/,
		],
		[readNewString, { ...STRING, id: "str_a" }, /^id is "str_a"; leave it out/],
		[readNewString, { slope: 1, orientation: 1 }, /^power_kw is missing/],
		[readStringChange, { slope: "30" }, /^slope is "30"/],
		[readStringChange, 5, /^The payload is 5/],
		[readInlineSystem, { ...SITE, strings: [] }, /^inline\.strings is \[\]/],
		[readInlineSystem, SITE, /^inline\.strings is missing/],
		[
			readInlineSystem,
			{ ...SITE, strings: [{ ...STRING, slope: null }] },
			/^inline\.strings\[0\]\.slope is null/,
		],
	];
	for (const [read, value, words] of refused) {
		it(`${read.name} says ${words.source}`, () => {
			assert.throws(
				() => read(value),
				(error) =>
					error instanceof SolarYieldError &&
					error.kind === "INPUT" &&
					words.test(error.message),
			);
		});
	}

	it("passes on what it does not know, at every level", () => {
		const site = {
			...SITE,
			strings: [{ ...STRING, gcr: 0.4, near_field_shading: [[1]], fuse: 16 }],
			config: {
				losses: { cable: 0.01, soiling: 0.02 },
				shading: { sky_obstruction: "0:90:5" },
				wind: { roughness: 0.1 },
			},
			owner: "me",
		};
		assert.deepEqual(readNewSite(site), site);
		assert.deepEqual(readSiteChange(site), site);
		assert.deepEqual(readInlineSystem(site), site);
		assert.deepEqual(readStringChange({ fuse: 16 }), { fuse: 16 });
	});

	it("leaves out what the service assigns", () => {
		assert.deepEqual(
			readNewSite({
				...SITE,
				strings: [{ ...STRING, id: "str_a", string_index: 0, gcr: null }],
			}).strings,
			[STRING],
		);
		assert.deepEqual(readNewString({ ...STRING, string_index: 3 }), STRING);
		assert.deepEqual(
			readStringChange({ id: "str_a", string_index: 0, slope: 5 }),
			{ slope: 5 },
		);
	});

	it("takes null for a setting that is to follow the service's default", () => {
		const config = { modules: null, losses: { albedo: null } };
		assert.deepEqual(readSiteChange({ config }).config, config);
	});
});
