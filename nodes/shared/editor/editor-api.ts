/**
 * What the dialogs use of Node-RED's editor
 * (https://nodered.org/docs/api/ui/). The types on the registry stop at Node-RED 1:
 * their validators can give no reason.
 */

/** A node in the editor: its settings, and what the editor adds. */
export type EditorNode<Settings = object> = Settings & {
	readonly id: string;
	name?: string;
	/** Whether it was edited since the last deploy. */
	readonly changed?: boolean;
	/** A text of the node's own catalogue, or of the one before the colon. */
	_(key: string, values?: object): string;
};

export interface PropertyDefinition {
	readonly value: unknown;
	/** The type of config node that the property names. */
	readonly type?: string;
	readonly required?: boolean;
	readonly label?: string;
	/**
	 * @param value the field's in the open dialog, else the node's
	 * @returns true, or what is wrong. The editor shows reasons of validators that
	 * have two parameters.
	 */
	validate?(
		this: EditorNode,
		value: unknown,
		options: object,
	): true | string | readonly string[];
}

type Text<Settings> = (this: EditorNode<Settings>) => string;

interface NodeDefinition<Settings> {
	readonly category: string;
	readonly color: string;
	readonly icon?: string;
	readonly inputs?: number;
	readonly outputs?: number;
	readonly defaults: {
		readonly [Name in keyof Settings | "name"]: PropertyDefinition;
	};
	readonly credentials?: Readonly<
		Record<
			string,
			{ readonly type: "password" } & Pick<PropertyDefinition, "validate">
		>
	>;
	readonly paletteLabel: Text<Settings>;
	readonly label: Text<Settings>;
	readonly labelStyle: Text<Settings>;
	/** Of the account: names of sites by id, which the labels of other nodes show. */
	readonly siteNames?: Record<string, string>;
	readonly inputLabels?: Text<Settings>;
	outputLabels?(this: EditorNode<Settings>, index: number): string | undefined;
	/** The node was placed by a person, or imported. */
	onadd?(this: EditorNode<Settings>): void;
	oneditprepare?(this: EditorNode<Settings>): void;
	oneditsave?(this: EditorNode<Settings>): void;
	oneditcancel?(this: EditorNode<Settings>): void;
}

/** A node on a workspace. */
type PlacedNode = EditorNode<{
	readonly type: string;
	readonly account?: unknown;
	/** To be drawn anew, with another size. */
	dirty?: boolean;
	resize?: boolean;
}>;

interface Notification {
	close(): void;
}

interface EditorRED {
	/** A text of the editor's own catalogue, or of the one before the colon. */
	_(key: string, values?: object): string;
	readonly nodes: {
		registerType<Settings>(
			type: string,
			definition: NodeDefinition<Settings>,
		): void;
		/** The definition of a type, nothing where its set is not there or switched off. */
		getType(
			type: string,
		): { readonly siteNames?: Record<string, string> } | null | undefined;
		/** Calls back for each config node until it returns false. */
		eachConfig(
			call: (
				node: EditorNode<{ readonly type: string; readonly demo?: unknown }>,
			) => boolean,
		): void;
		/** Calls back for each node that is no config node. */
		eachNode(call: (node: PlacedNode) => void): void;
		/** A config node by its id. */
		node(id: unknown): EditorNode<Record<string, unknown>> | null;
	};
	readonly i18n: { lang(): string };
	readonly events: {
		on(event: "nodes:add", call: (node: { type: string }) => void): void;
		on(event: "deploy" | "editor:close", call: () => void): void;
	};
	/** What nodes of the runtime hand to the editor. */
	readonly settings: Readonly<Record<string, unknown>>;
	readonly editor: { validateNode(node: EditorNode): void };
	readonly view: { redraw(): void };
	readonly tabs: {
		create(options: {
			readonly element: JQuery;
			/** px */
			readonly maximumTabWidth: number;
			onchange(tab: { readonly id: string }): void;
		}): {
			/** The first one that is added opens. */
			addTab(tab: { readonly id: string; readonly label: string }): void;
			activateTab(id: string): void;
			resize(): void;
		};
	};
	notify(
		message: HTMLElement,
		options: {
			readonly modal: boolean;
			readonly fixed: boolean;
			readonly buttons: readonly {
				readonly text: string;
				readonly class?: string;
				click(): void;
			}[];
		},
	): Notification;
}

/** A line of the list that opens below a text field. */
interface Choice {
	readonly value: string;
	readonly label: JQuery;
}

interface ListOptions<Item> {
	readonly height: "auto";
	readonly addButton: string;
	readonly removable: boolean;
	addItem(row: JQuery, index: number, item: Item): void;
	removeItem(item: Item): void;
}

declare global {
	const RED: EditorRED;

	/** Node-RED's widgets. */
	interface JQuery {
		autoComplete(options: {
			readonly minLength: number;
			search(text: string, done: (choices: Choice[]) => void): void;
		}): this;
		editableList<Item>(options: ListOptions<Item>): this;
		editableList(method: "items"): JQuery;
		editableList(method: "empty"): this;
		editableList(method: "addItem", item: object): this;
	}
}
