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

/** An average or the like, rounded to what the currency is paid in; without a currency, to hundredths. */
export function roundedMoney(amount: string | number, currency: string | null): string {
  return money(amount, currency, { maximumFractionDigits: digitsOf(currency) });
}

function digitsOf(currency: string | null): number {
  if (currency === null) return 2;
  try {
    return (
      new Intl.NumberFormat(undefined, { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2
    );
  } catch {
    return 2;
  }
}
