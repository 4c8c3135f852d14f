/** An amount, exact where it is given as text, unless `digits` round it; with the currency, if there is one. */
export function money(
  amount: string | number,
  currency: string | null,
  digits: Intl.NumberFormatOptions = { maximumFractionDigits: 6 },
): string {
  const of = (style: Intl.NumberFormatOptions) =>
    new Intl.NumberFormat(undefined, { ...style, ...digits }).format(amount as `${number}`);
  const plain = () => of({ maximumFractionDigits: 2 });
  if (currency === null) return plain();
  try {
    return of({ style: 'currency', currency });
  } catch {
    // No code of a currency: events may say anything.
    return `${plain()} ${currency}`;
  }
}

/** An average or the like, rounded to what the currency is paid in; without a currency, to hundredths. */
export const roundedMoney = (amount: string | number, currency: string | null): string => money(amount, currency, {});
