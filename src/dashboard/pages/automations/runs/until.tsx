import { Time } from '../../../components/time.tsx';

/** A time in the viewer's zone, and in that of the customer where it is known. */
export function Until({ value, timeZone }: { value: string; timeZone?: string | undefined }) {
  return (
    <>
      <Time value={value} />
      {timeZone && ` (${inZone(value, timeZone)} in ${timeZone})`}
    </>
  );
}

/** A zone that this browser does not know is told as UTC. */
function inZone(value: string, timeZone: string): string {
  const options = { dateStyle: 'medium', timeStyle: 'short' } as const;
  try {
    return new Intl.DateTimeFormat(undefined, { ...options, timeZone }).format(new Date(value));
  } catch {
    return `${new Intl.DateTimeFormat(undefined, { ...options, timeZone: 'UTC' }).format(new Date(value))} UTC`;
  }
}
