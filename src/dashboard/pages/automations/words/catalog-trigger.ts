import { durationWords } from '../../../components/durations.ts';
import { clause } from '../../../conditions/sentence.ts';
import type { CatalogTrigger } from '../../../definitions.ts';

export const CHANGE_NAMES: Readonly<Record<CatalogTrigger['change'], string>> = {
  back_in_stock: 'is back in stock',
  price_drop: 'costs less',
  low_stock: 'is nearly sold out',
};

/** An item of the catalog changes, for whom. */
export function catalogWords({
  change,
  audience,
  min_percent,
  currency,
  below,
  filter,
  from_client,
}: CatalogTrigger): string {
  const bounds = [
    ...(min_percent === undefined ? [] : [`by ${min_percent} % at least`]),
    ...(below === undefined ? [] : [`less than ${below}${change === 'low_stock' ? ' pieces' : ''}`]),
    ...(currency === undefined ? [] : [`in ${currency}`]),
  ];
  const what = [`an item ${CHANGE_NAMES[change] ?? change}`, ...bounds].join(', ');
  const who = [
    ...(audience.subscribed ? [`waits for it${from_client ? ', also by what pages and apps say' : ''}`] : []),
    ...done('looked at it', audience.viewed),
    ...done('put it into a cart', audience.carted),
    ...done('ordered it', audience.ordered),
  ];
  return `${what}${filter ? `, if ${clause(filter)}` : ''}, for each customer who ${who.join(' or ') || '…'}`;
}

function done(what: string, within: string | undefined): string[] {
  return within === undefined ? [] : [`${what} within ${durationWords(within)}`];
}
