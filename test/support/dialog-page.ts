type Handler = (event: { target: PageElement }) => void;

/** What a dialog's script does with one element, as far as jQuery is concerned. */
export class PageElement {
	readonly length = 1;
	readonly classes = new Set<string>();
	isVisible = true;
	/** As a person reads it. */
	shown = "";
	value = "";
	isChecked = false;
	readonly #handlers = new Map<string, Handler[]>();

	/** `tag` is what kind of element it is: "select". */
	constructor(
		readonly tag: string,
		readonly id: string,
	) {}

	is(tag: string): boolean {
		return this.tag === tag;
	}

	/** Puts a node's value into a field, as Node-RED does. */
	fill(value: unknown): void {
		this.value = value == null ? "" : String(value);
		this.isChecked = value === true;
	}

	text(text?: string) {
		if (text === undefined) return this.shown;
		this.shown = text;
		return this;
	}
	val(value?: string) {
		if (value === undefined) return this.value;
		this.value = value;
		return this;
	}
	prop(name: string, value?: boolean) {
		if (name !== "checked") throw new Error(`prop ${name} is not known here`);
		if (value === undefined) return this.isChecked;
		this.isChecked = value;
		return this;
	}
	on(type: string, handler: Handler) {
		this.#handlers.set(type, [...(this.#handlers.get(type) ?? []), handler]);
		return this;
	}
	trigger(event: string | { type: string }) {
		const type = typeof event === "string" ? event : event.type;
		for (const handler of this.#handlers.get(type) ?? []) {
			handler({ target: this });
		}
		return this;
	}
	hide() {
		return this.toggle(false);
	}
	toggle(isVisible: boolean) {
		this.isVisible = isVisible;
		return this;
	}
	toggleClass(name: string, isOn: boolean) {
		if (isOn) this.classes.add(name);
		else this.classes.delete(name);
		return this;
	}
	/** Node-RED's widgets; what they do on the page is Node-RED's. */
	autoComplete() {
		return this;
	}
	find() {
		return this;
	}
	children() {
		return this;
	}
	attr(name: string | object, value?: unknown) {
		return name === "id" && value === undefined ? this.id : this;
	}
}

/** What jQuery says of an element that is not there. */
const NOTHING = { length: 0, is: () => false } as const;

/**
 * The page of an open dialog without a browser: its elements by id, and what a
 * person does with them.
 */
export class Page {
	readonly #elements: ReadonlyMap<string, PageElement>;

	constructor(template: string) {
		this.#elements = new Map(
			[...template.matchAll(/<(\w+)[^>]*\sid="([^"]*)"/g)].map(
				([, tag = "", id = ""]) => [id, new PageElement(tag, id)],
			),
		);
	}

	element(id: string): PageElement {
		const element = this.#elements.get(id);
		if (!element) throw new Error(`${id} is not on the page`);
		return element;
	}

	/** jQuery's answer to `#id`. */
	find(selector: string): PageElement | typeof NOTHING {
		return this.#elements.get(selector.replace(/^#/, "")) ?? NOTHING;
	}

	/** Types a value or sets a tick, leaves the field, and lets answers arrive. */
	async enter(id: string, value: string | boolean): Promise<void> {
		const element = this.element(id);
		if (typeof value === "string") element.value = value;
		else element.isChecked = value;
		element.trigger("change");
		await this.settle();
	}

	async press(id: string): Promise<void> {
		this.element(id).trigger("click");
		await this.settle();
	}

	/** Lets what was asked be answered and shown. */
	settle(): Promise<void> {
		return new Promise((resolve) => setTimeout(resolve, 0));
	}
}
