import { inputError } from "../../service/errors/solar-yield-error";
import { show } from "../../service/v2/schema-errors";

/** One entity in the `components` of a device's discovery message. */
export type Component = Readonly<Record<string, unknown>>;

/**
 * What Home Assistant allows together (its sensor/const.py, DEVICE_CLASS_UNITS
 * and DEVICE_CLASS_STATE_CLASSES), as far as it is used here. An entity that
 * breaks it is refused there with one line in the log. `undefined` stands for
 * none.
 */
const ALLOWED: Readonly<
	Record<
		string,
		{
			readonly units: readonly (string | undefined)[];
			readonly states: readonly (string | undefined)[];
		}
	>
> = {
	power: { units: ["W", "kW"], states: [undefined, "measurement"] },
	energy: {
		units: ["Wh", "kWh", "MWh"],
		states: [undefined, "total", "total_increasing"],
	},
	timestamp: { units: [undefined], states: [undefined] },
	temperature: { units: ["°C"], states: [undefined, "measurement"] },
	enum: { units: [undefined], states: [undefined] },
	duration: {
		units: ["d", "h", "min", "s"],
		states: [undefined, "measurement", "total", "total_increasing"],
	},
};
const NO_CLASS = {
	units: [undefined, "requests"],
	states: [undefined, "measurement"],
};

/** Names that Home Assistant drops from attributes (its mqtt/entity.py). */
const BLOCKED_ATTRIBUTES = new Set([
	"assumed_state",
	"available",
	"device_class",
	"device_info",
	"entity_category",
	"entity_picture",
	"entity_registry_enabled_default",
	"extra_state_attributes",
	"force_update",
	"friendly_name",
	"icon",
	"name",
	"should_poll",
	"state",
	"supported_features",
	"unique_id",
	"unit_of_measurement",
]);

/** Attributes of a state that are longer than this are not recorded (bytes of compact JSON). */
const ATTRIBUTE_BYTES = 16_384;

/**
 * Checks an entity before it is published.
 *
 * @throws SolarYieldError `INPUT` naming the entity and what is not allowed
 */
export function checkComponent(key: string, component: Component): void {
	const refuse = (field: string) =>
		inputError("export.refused_entity", {
			key,
			field,
			value: show(component[field]),
		});
	const { platform, unique_id, default_entity_id } = component;
	if (!["sensor", "binary_sensor", "button"].includes(platform as string)) {
		throw refuse("platform");
	}
	if (!/^[\w-]+$/.test(key)) throw refuse("unique_id");
	if (!/^[\w-]+$/.test(String(unique_id))) throw refuse("unique_id");
	const { object_id } = component;
	if (object_id !== undefined && !/^[a-z0-9_]+$/.test(String(object_id))) {
		throw refuse("object_id");
	}
	if (
		!new RegExp(`^${platform}\\.[a-z0-9_]+$`).test(String(default_entity_id))
	) {
		throw refuse("default_entity_id");
	}
	if (platform !== "sensor") return;
	const { device_class, unit_of_measurement, state_class } = component;
	const allowed =
		device_class === undefined ? NO_CLASS : ALLOWED[device_class as string];
	if (!allowed) throw refuse("device_class");
	if (!allowed.units.includes(unit_of_measurement as string | undefined)) {
		throw refuse("unit_of_measurement");
	}
	if (!allowed.states.includes(state_class as string | undefined)) {
		throw refuse("state_class");
	}
	const { options } = component;
	const listsOptions = Array.isArray(options) && options.length > 0;
	if ((device_class === "enum") !== listsOptions) throw refuse("options");
}

const bytesOf = (attributes: object) =>
	Buffer.byteLength(JSON.stringify(attributes));

/** Whether the recorder keeps such attributes. */
export const isRecordable = (attributes: object) =>
	bytesOf(attributes) < ATTRIBUTE_BYTES;

/**
 * Checks a day's attributes before they are published.
 *
 * @throws SolarYieldError `INPUT` when a name is blocked or they are too long to be recorded
 */
export function checkAttributes(
	attributes: Readonly<Record<string, unknown>>,
): void {
	const blocked = Object.keys(attributes).find((name) =>
		BLOCKED_ATTRIBUTES.has(name),
	);
	if (blocked !== undefined) {
		throw inputError("export.dropped_attribute", { name: blocked });
	}
	if (!isRecordable(attributes)) {
		throw inputError("export.long_curve", {
			bytes: bytesOf(attributes),
			most: ATTRIBUTE_BYTES,
		});
	}
}
