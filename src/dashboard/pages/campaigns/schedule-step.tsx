import { Select, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { CampaignTiming } from '../../../client/index.ts';
import { DurationInput } from '../../components/duration-input.tsx';
import { TimeInput } from '../../components/time-input.tsx';
import { useTimeZone } from '../../session/time-zone.ts';
import { HoursFields } from './hours-fields.tsx';
import { ZoneFields } from './zone-fields.tsx';

type Begin = 'now' | 'at' | 'local';

const BEGINS: readonly { value: Begin; label: string }[] = [
  { value: 'now', label: 'As soon as you send it' },
  { value: 'at', label: 'At a time' },
  { value: 'local', label: 'At a time by the clock of each recipient' },
];
const PAST = [
  { value: 'next_day', label: 'Get it on the next day' },
  { value: 'send_now', label: 'Get it at once' },
  { value: 'skip', label: 'Do not get it' },
];
const PLAIN: CampaignTiming = { local_time: null, time_zone: null, past: 'next_day', spread: null, hours: null };

/** When it begins, and when its messages go. */
export function ScheduleStep({
  isText,
  at,
  onAt,
  timing,
  onTiming,
  mayWrite,
}: {
  isText: boolean;
  at: string;
  onAt: (at: string) => void;
  timing: CampaignTiming | null;
  onTiming: (timing: CampaignTiming | null) => void;
  mayWrite: boolean;
}) {
  const of = timing ?? PLAIN;
  const timeZone = useTimeZone();
  const [isAt, setIsAt] = useState(at !== '');
  const begin: Begin = of.local_time !== null ? 'local' : isAt ? 'at' : 'now';
  const change = (changes: Partial<CampaignTiming>) => onTiming(withZone({ ...of, ...changes }, timeZone));
  const choose = (to: Begin) => {
    setIsAt(to === 'at');
    if (to !== 'at') onAt('');
    if (to === 'local') change({ local_time: of.local_time ?? tomorrow() });
    else if (begin === 'local') change({ local_time: null });
  };
  return (
    <>
      <Select
        label="When it begins"
        data={mayWrite || begin === 'local' ? BEGINS : BEGINS.slice(0, 2)}
        value={begin}
        onChange={(to) => choose(to as Begin)}
        allowDeselect={false}
        maw={360}
      />
      {begin === 'at' && (
        <TimeInput label="Time" description="In your own time zone." value={at} onChange={onAt} maw={360} />
      )}
      {of.local_time !== null && (
        <>
          <TextInput
            type="datetime-local"
            label="Local time"
            description="By the clock of each recipient; it begins where clocks are furthest ahead."
            readOnly={!mayWrite}
            value={of.local_time}
            onChange={({ currentTarget: { value } }) => value !== '' && change({ local_time: value.slice(0, 16) })}
            maw={360}
          />
          <Select
            label="For whom it is already over"
            data={PAST}
            disabled={!mayWrite}
            value={String(of.past)}
            onChange={(past) => past && change({ past })}
            allowDeselect={false}
            maw={360}
          />
        </>
      )}
      <fieldset disabled={!mayWrite} style={{ border: 0, margin: 0, padding: 0, display: 'contents' }}>
        <DurationInput
          label="Spread over"
          description="Evenly, a day at most. Empty: all at once."
          units={{ m: 'minutes', h: 'hours', d: 'days' }}
          value={of.spread ?? ''}
          onChange={(spread) => change({ spread: spread || null })}
        />
        <HoursFields isText={isText} hours={of.hours} onChange={(hours) => change({ hours })} />
        {of.time_zone && <ZoneFields zone={of.time_zone} onChange={(time_zone) => change({ time_zone })} />}
      </fieldset>
    </>
  );
}

/** Clocks are named where there is something to be looked up on them; nothing at all is no timing. */
function withZone(timing: CampaignTiming, timeZone: string): CampaignTiming | null {
  const { local_time, spread, hours, time_zone } = timing;
  if (local_time !== null || hours !== null) return { ...timing, time_zone: time_zone ?? ownZone(timeZone) };
  return spread === null ? null : { ...timing, time_zone: null };
}

function ownZone(timeZone: string): NonNullable<CampaignTiming['time_zone']> {
  return { attribute: 'time_zone', default: timeZone };
}

/** At nine, as a field of the browser has it. */
function tomorrow(): string {
  const date = new Date(Date.now() + 86_400_000);
  const two = (number: number) => String(number).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}T09:00`;
}
