import { count } from '../../components/numbers.ts';

export const eventTypePath = (type: string) => `/event-types/${encodeURIComponent(type)}`;

/** Not told of so many events that their customers are not counted. */
export const peopleOf = (profiles: number | null) => (profiles === null ? 'Not counted' : count(profiles));

/** A decimal number of any length, as the viewer writes it. */
export const sumWords = (sum: string) => format.format(sum as `${number}`);

const format = new Intl.NumberFormat(undefined, { maximumFractionDigits: 6 });
