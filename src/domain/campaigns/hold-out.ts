import type { Revenue } from '../tracking/attribution/report.ts';
import type { OrderCount } from './counting/orders.ts';
import { decimalOf } from './decimal.ts';
import { compareRevenue, type RevenueDifference } from './revenue-difference.ts';
import { compareRates, percent } from './variants/verdict.ts';

/** What some of the recipients of a campaign ordered. */
export interface HoldOutGroup {
  recipients: number;
  /** Who placed an order that was not taken back. */
  customers: number;
  orders: number;
  revenue: (Revenue & { perRecipient: string })[];
}

/** Whoever is held out of a campaign, beside all others in its audience. */
export interface HoldOut {
  /** Until when their orders are counted. */
  until: Date;
  heldOut: HoldOutGroup;
  others: HoldOutGroup;
  /** How much more each of the others brought, the most orders first. */
  differences: RevenueDifference[];
  /** Whether they differ with a confidence of 95 %. */
  isClear: boolean;
  /** In one sentence. */
  explanation: string;
}

/** Compares what customers ordered since a campaign began; `recipients` are all of them. */
export function compareHoldOut(
  orders: readonly OrderCount[],
  { recipients, heldOut }: { recipients: number; heldOut: number },
  until: Date,
): HoldOut {
  const out = groupOf(orders, true, heldOut);
  const others = groupOf(orders, false, recipients - heldOut);
  const differences = compareRevenue(orders, { others: others.recipients, heldOut });
  return { until, heldOut: out, others, differences, ...compare(out, others) };
}

function groupOf(all: readonly OrderCount[], isHeldOut: boolean, recipients: number): HoldOutGroup {
  const own = all.filter((one) => one.isHeldOut === isHeldOut);
  const sum = own.find(({ isAll }) => isAll);
  const revenue = own
    .filter(({ isAll }) => !isAll)
    .map(({ currency, orders, amount, refunded }) => ({
      ...{ currency, orders, amount: decimalOf(BigInt(amount)), refunded: decimalOf(BigInt(refunded)) },
      perRecipient: decimalOf(recipients === 0 ? 0n : rounded(BigInt(amount), BigInt(recipients))),
    }));
  return { recipients, customers: sum?.customers ?? 0, orders: sum?.orders ?? 0, revenue };
}

function compare(out: HoldOutGroup, others: HoldOutGroup): Pick<HoldOut, 'isClear' | 'explanation'> {
  if (out.recipients === 0 || others.recipients === 0) {
    return { isClear: false, explanation: 'There is nobody to compare with.' };
  }
  const rate = ({ customers, recipients }: HoldOutGroup) => percent(customers / recipients);
  const rates = `Of those who were held out ${rate(out)} ordered, of the others ${rate(others)}`;
  const [one, other] = [others, out].map(({ customers, recipients }) => ({ hits: customers, of: recipients }));
  const found = compareRates(one as Part, other as Part);
  const verdicts = {
    few: 'these are too few to tell them apart.',
    unclear: 'such a difference may well be chance.',
    clear: 'by chance alone, such a difference shows in fewer than 5 of 100 campaigns.',
  };
  return { isClear: found === 'clear', explanation: `${rates}: ${verdicts[found]}` };
}

type Part = Parameters<typeof compareRates>[0];

function rounded(amount: bigint, by: bigint): bigint {
  return (amount + by / 2n) / by;
}
