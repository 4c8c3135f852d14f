const whole = new Intl.NumberFormat();
const percent = new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 1 });

export const count = (value: number): string => whole.format(value);

/** A part of a whole, as percent. */
export const share = (part: number, all: number): string => percent.format(all === 0 ? 0 : part / all);
