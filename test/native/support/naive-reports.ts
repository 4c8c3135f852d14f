/** An order as it was sent; amounts are cents. */
export interface Ordered {
  who: string;
  /** In milliseconds. */
  at: number;
  cents: bigint;
  /** That of the store, EUR, where there is none. */
  currency: string | undefined;
  back: bigint | undefined;
  isCancelled: boolean;
}

const netOf = ({ cents, back = 0n }: Ordered) => cents - back;
const currencyOf = ({ currency = 'EUR' }: Ordered) => currency;
const sumOf = (orders: readonly Ordered[]) => orders.reduce((all, order) => all + netOf(order), 0n);
const byCustomer = (orders: readonly Ordered[]) => [...Map.groupBy(orders, ({ who }) => who).values()];
const keptOf = (orders: readonly Ordered[]) => orders.filter(({ isCancelled }) => !isCancelled);
const rising = (numbers: readonly number[]) => numbers.toSorted((a, b) => a - b);

/** A number of thousandths as a decimal one. */
function shown(thousandths: bigint): string {
  const digits = String(thousandths).padStart(4, '0');
  return `${digits.slice(0, -3)}.${digits.slice(-3)}`.replace(/\.?0+$/, '');
}

export function naiveCustomers(all: readonly Ordered[]) {
  const people = byCustomer(keptOf(all));
  const bounds = [1, 2, 3, 4, 5, 6, 11, 21];
  const gaps = rising(
    people.flatMap((orders) => {
      const times = rising(orders.map(({ at }) => at));
      return times.slice(1).map((at, i) => (at - (times[i] as number)) / 1000);
    }),
  );
  const at = (share: number) => {
    const place = share * (gaps.length - 1);
    const [low, high] = [gaps[Math.floor(place)], gaps[Math.ceil(place)]] as [number, number];
    return low + (high - low) * (place - Math.floor(place));
  };
  const currencies = [...Map.groupBy(keptOf(all), currencyOf)].map(([currency, orders]) => {
    const values = byCustomer(orders).map(sumOf);
    const inOrder = values.toSorted((a, b) => (a < b ? -1 : 1));
    const [total, count] = [sumOf(orders) * 10n, BigInt(values.length)];
    return {
      currency,
      profiles: values.length,
      // Half up, as Postgres rounds.
      average: shown((2n * total + count) / (2n * count)),
      median: shown((inOrder[Math.ceil(values.length / 2) - 1] as bigint) * 10n),
    };
  });
  return {
    profiles: people.length,
    repeating: people.filter(({ length }) => length > 1).length,
    orders: keptOf(all).length,
    distribution: bounds.map((from, i) => {
      const to = (bounds[i + 1] ?? Number.POSITIVE_INFINITY) - 1;
      const profiles = people.filter(({ length }) => length >= from && length <= to).length;
      return { from, to: Number.isFinite(to) ? to : null, profiles };
    }),
    gaps: { lowerQuartile: at(0.25), median: at(0.5), upperQuartile: at(0.75) },
    values: currencies.toSorted((a, b) => b.profiles - a.profiles || (a.currency < b.currency ? -1 : 1)),
  };
}

export function naiveCohorts(
  all: readonly Ordered[],
  { months, to, currency, timeZone }: { months: number; to: string; currency: string; timeZone: string },
) {
  const dayOf = ({ at }: Ordered) =>
    Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(timeZone).toPlainDate();
  const last = Temporal.PlainDate.from(to);
  const known = keptOf(all).filter((order) => Temporal.PlainDate.compare(dayOf(order), last) <= 0);
  const monthOf = (order: Ordered) => dayOf(order).with({ day: 1 }).toString();
  const starts = Array.from({ length: months }, (_, n) =>
    last
      .with({ day: 1 })
      .subtract({ months: months - 1 - n })
      .toString(),
  );
  const people = byCustomer(known).map((orders) => ({ orders, first: orders.map(monthOf).toSorted()[0] }));
  return starts.map((month, i) => {
    const own = people.filter(({ first }) => first === month);
    return {
      month,
      profile_count: own.length,
      months: starts.slice(i).map((start) => {
        const orders = own.map((one) => one.orders.filter((order) => monthOf(order) === start));
        const ordered = orders.filter(({ length }) => length > 0).length;
        return {
          profile_count: ordered,
          share: own.length === 0 ? null : ordered / own.length,
          order_count: orders.flat().length,
          net_amount: shown(sumOf(orders.flat().filter((order) => currencyOf(order) === currency)) * 10n),
        };
      }),
    };
  });
}
