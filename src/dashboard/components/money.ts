/** An amount, exact where it is given as text, unless `digits` round it; with the currency, if there is one. */
export function money(amount: string | number, currency: string | null, digits: Intl.NumberFormatOptions = {}): string {
  const of = (style: Intl.NumberFormatOptions) =>
    new Intl.NumberFormat(undefined, { maximumFractionDigits: 6, ...style, ...digits }).format(amount as `${number}`);
  if (currency === null) return of({});
  try {
    return of({ style: 'currency', currency });
  } catch {
    // No code of a currency: events may say anything.
    return `${of({})} ${currency}`;
  }
}

/** An amount that was divided, with as many digits as its currency has: two if that is none. */
export function roundedMoney(amount: string, currency: string | null): string {
  return money(amount, currency, { maximumFractionDigits: digitsOf(currency) });
}

function digitsOf(currency: string | null): number {
  try {
    const { maximumFractionDigits } = new Intl.NumberFormat(undefined, {
      style: 'currency',
      currency: currency ?? 'EUR',
    }).resolvedOptions();
    return maximumFractionDigits ?? 2;
  } catch {
    return 2;
  }
}
