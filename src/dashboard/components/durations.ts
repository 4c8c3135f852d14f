const DURATION = /^-?P(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/;
const UNITS = ['week', 'day', 'hour', 'minute', 'second'] as const;

/** A duration of ISO 8601 in words (`P1DT12H`: 1 day 12 hours), without its sign; what is none stays as it is. */
export function durationWords(duration: string): string {
  const parts = DURATION.exec(duration)?.slice(1);
  if (!parts) return duration || '…';
  const words = parts.flatMap((amount, n) =>
    Number(amount ?? 0) === 0 ? [] : [plural(Number(amount), UNITS[n] ?? '')],
  );
  return words.join(' ') || 'no time';
}

export function plural(amount: number, noun: string): string {
  return `${amount} ${noun}${amount === 1 ? '' : 's'}`;
}
