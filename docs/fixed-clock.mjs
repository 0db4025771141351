// Loaded before everything else, in workers too: the pictures show the same times whenever they are taken.
const startMs = Date.UTC(2026, 10, 30, 15, 4);
const offsetMs = startMs - Date.now();
const RealDate = Date;

globalThis.Date = class extends RealDate {
	constructor(...parameters) {
		if (parameters.length === 0) super(RealDate.now() + offsetMs);
		else super(...parameters);
	}

	static now() {
		return RealDate.now() + offsetMs;
	}
};
