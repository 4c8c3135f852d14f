import { Hint } from './hint.tsx';

const STYLES = {
  full: { dateStyle: 'medium', timeStyle: 'long' },
  date: { dateStyle: 'medium' },
  clock: { timeStyle: 'long' },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>;

const formats = Object.fromEntries(
  Object.entries(STYLES).map(([name, style]) => [name, new Intl.DateTimeFormat(undefined, style)]),
) as Record<keyof typeof STYLES, Intl.DateTimeFormat>;

/** A time of an answer, in the viewer's zone; on hover in UTC, to the millisecond. */
export function Time({ value, format = 'full' }: { value: string; format?: keyof typeof STYLES }) {
  return (
    <Hint label={utc(value)}>
      {(handlers) => (
        <time dateTime={value} {...handlers}>
          {formats[format].format(new Date(value))}
        </time>
      )}
    </Hint>
  );
}

function utc(value: string): string {
  return value.replace('T', ' ').replace('Z', ' UTC');
}
