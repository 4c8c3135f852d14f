import { expect } from 'chai';
import { DueTimes } from '../../src/domain/campaigns/due-times.ts';
import { sendingSeconds } from '../../src/domain/campaigns/sending-time.ts';
import { beginOfLocal, type CampaignTiming, type SendingHours } from '../../src/domain/campaigns/timing.ts';
import { iso, WEEKDAYS } from '../../src/domain/time/local.ts';

const ms = (text: string) => Temporal.Instant.from(text).epochMilliseconds;

const PLAIN: CampaignTiming = { localTime: null, timeZone: null, past: 'next_day', spread: null, hours: null };
const ZONE = { attribute: 'time_zone', default: 'Europe/Berlin' };
const DAYTIME: SendingHours = { from: '08:00', to: '20:00', weekdays: WEEKDAYS, otherwise: 'wait' };

function timesOf(timing: Partial<CampaignTiming>, begin: string): DueTimes {
  return new DueTimes({ ...PLAIN, ...timing }, { scheduledAt: ms(begin), startedAt: ms(begin) });
}

describe('The time of a message of a campaign', () => {
  /** When it goes to customers with these time zones, and why it does not. */
  function local(
    localTime: string,
    begin: string,
    zones: readonly unknown[],
    past: CampaignTiming['past'] = 'next_day',
  ) {
    const times = timesOf({ localTime, timeZone: ZONE, past }, begin);
    return zones.map((zone) => {
      const { at, skipped } = times.of(zone, 0);
      return skipped ?? iso(at);
    });
  }

  it('is the same by the clock of each recipient', () => {
    const zones = ['Pacific/Kiritimati', 'Asia/Tokyo', 'Europe/Berlin', 'America/New_York', 'Pacific/Niue'];
    expect(local('2026-12-01T09:00', '2026-11-30T19:00:00Z', zones)).to.deep.equal([
      ...['2026-11-30T19:00:00.000Z', '2026-12-01T00:00:00.000Z', '2026-12-01T08:00:00.000Z'],
      ...['2026-12-01T14:00:00.000Z', '2026-12-01T20:00:00.000Z'],
    ]);
  });

  it('is that of the default zone for who has none, or something else, and says so', () => {
    const times = timesOf({ localTime: '2026-12-01T09:00', timeZone: ZONE }, '2026-11-30T19:00:00Z');
    const found = (zone: unknown) => {
      const due = times.of(zone, 0);
      return [iso(due.at), due.zone];
    };
    const berlin = '2026-12-01T08:00:00.000Z';
    expect(found('Asia/Tokyo')).to.deep.equal(['2026-12-01T00:00:00.000Z', 'known']);
    for (const zone of [undefined, null]) expect(found(zone)).to.deep.equal([berlin, 'none']);
    for (const zone of ['Mars/Olympus', '', '+02:00', 7, {}]) expect(found(zone)).to.deep.equal([berlin, 'unknown']);
  });

  it('is as much later as the clock skips, and the first where it comes twice', () => {
    const begin = '2026-01-01T00:00:00Z';
    const zones = ['Europe/Berlin', 'America/New_York', 'UTC'];
    expect(local('2026-03-29T02:30', begin, zones)).to.deep.equal([
      ...['2026-03-29T01:30:00.000Z', '2026-03-29T06:30:00.000Z', '2026-03-29T02:30:00.000Z'],
    ]);
    expect(local('2026-10-25T02:30', begin, zones)).to.deep.equal([
      ...['2026-10-25T00:30:00.000Z', '2026-10-25T06:30:00.000Z', '2026-10-25T02:30:00.000Z'],
    ]);
    // A whole day that Samoa never had.
    expect(local('2011-12-30T09:00', '2011-01-01T00:00:00Z', ['Pacific/Apia'])).to.deep.equal([
      '2011-12-30T19:00:00.000Z',
    ]);
  });

  it('that is over when it begins is on the next day, at once or never', () => {
    const zones = ['Asia/Tokyo', 'Europe/Berlin', 'America/New_York'];
    const of = (past: CampaignTiming['past']) => local('2026-12-01T09:00', '2026-12-01T08:00:00Z', zones, past);
    const others = ['2026-12-01T08:00:00.000Z', '2026-12-01T14:00:00.000Z'];
    expect(of('next_day')).to.deep.equal(['2026-12-02T00:00:00.000Z', ...others]);
    expect(of('send_now')).to.deep.equal(['2026-12-01T08:00:00.000Z', ...others]);
    expect(of('skip')).to.deep.equal(['time_passed', ...others]);
    // Where it was over for more than a day.
    expect(local('2026-12-01T09:00', '2026-12-01T20:30:00Z', ['Pacific/Kiritimati'])).to.deep.equal([
      '2026-12-02T19:00:00.000Z',
    ]);
  });

  it('is not over for who is first because it began a moment late', () => {
    const begin = { scheduledAt: ms('2026-11-30T19:00:00Z'), startedAt: ms('2026-11-30T19:00:07Z') };
    const timing: CampaignTiming = { ...PLAIN, localTime: '2026-12-01T09:00', timeZone: ZONE, past: 'skip' };
    expect(new DueTimes(timing, begin).of('Pacific/Kiritimati', 0).skipped).to.equal(null);
  });

  it('is spread evenly from the time of each zone', () => {
    const times = timesOf({ localTime: '2026-12-01T09:00', timeZone: ZONE, spread: 'PT2H' }, '2026-11-30T19:00:00Z');
    const at = (zone: string, share: number) => iso(times.of(zone, share).at);
    expect(at('Asia/Tokyo', 0.5)).to.equal('2026-12-01T01:00:00.000Z');
    expect(at('Europe/Berlin', 0)).to.equal('2026-12-01T08:00:00.000Z');
    expect(at('Europe/Berlin', 0.75)).to.equal('2026-12-01T09:30:00.000Z');
  });

  it('waits for the next hours, in which alone it is spread', () => {
    const hours = { ...DAYTIME, weekdays: ['mon', 'tue', 'wed', 'thu', 'fri'] } as const;
    // A Friday, at 19:00 in Berlin.
    const times = timesOf({ timeZone: ZONE, spread: 'PT4H', hours }, '2026-11-27T18:00:00Z');
    const at = (zone: string, share: number) => iso(times.of(zone, share).at);
    expect(at('Europe/Berlin', 0.125)).to.equal('2026-11-27T18:30:00.000Z');
    expect(at('Europe/Berlin', 0.25)).to.equal('2026-11-30T07:00:00.000Z');
    expect(at('Europe/Berlin', 0.5)).to.equal('2026-11-30T08:00:00.000Z');
    // It is Saturday there.
    expect(at('Asia/Tokyo', 0)).to.equal('2026-11-29T23:00:00.000Z');
    expect(at('America/New_York', 0)).to.equal('2026-11-27T18:00:00.000Z');
  });

  it('outside the hours is none, where somebody wants it so', () => {
    const hours = { ...DAYTIME, otherwise: 'skip' } as const;
    const times = timesOf({ timeZone: ZONE, spread: 'PT4H', hours }, '2026-11-27T18:00:00Z');
    expect(times.of('Europe/Berlin', 0.2).skipped).to.equal(null);
    expect(times.of('Europe/Berlin', 0.25).skipped).to.equal('outside_hours');
    expect(times.of('Asia/Tokyo', 0).skipped).to.equal('outside_hours');
  });

  it('is found in the hours of each day, also of one on which clocks change', () => {
    for (const [begin, first] of [
      ['2026-03-28T20:00:00Z', '2026-03-29T06:00:00.000Z'],
      ['2026-10-24T20:00:00Z', '2026-10-25T07:00:00.000Z'],
    ] as const) {
      const times = timesOf({ timeZone: ZONE, hours: DAYTIME }, begin);
      expect(iso(times.of('Europe/Berlin', 0).at)).to.equal(first);
    }
  });
});

describe('A campaign by the clocks of its recipients', () => {
  const timing: CampaignTiming = { ...PLAIN, localTime: '2026-12-01T09:00', timeZone: ZONE };
  const begin = (now: string, of = timing) => iso(beginOfLocal(of, ms(now)).getTime());

  it('begins when it is the time where clocks are furthest ahead, or at once if that is over', () => {
    expect(begin('2026-11-20T00:00:00Z')).to.equal('2026-11-30T19:00:00.000Z');
    expect(begin('2026-12-01T20:59:00Z')).to.equal('2026-12-01T20:59:00.000Z');
    const same = { ...timing, timeZone: { default: 'Europe/Berlin' } };
    expect(begin('2026-11-20T00:00:00Z', same)).to.equal('2026-12-01T08:00:00.000Z');
  });

  it('can not begin once the time is over everywhere', () => {
    expect(() => begin('2026-12-01T21:00:01Z')).to.throw('timing.local_time must not be in the past');
  });
});

describe('How long a campaign takes', () => {
  const minute: SendingHours = { from: '08:00', to: '08:01', weekdays: ['mon'], otherwise: 'wait' };
  const at = { maxPerSecond: 1, warmUp: null };
  const seconds = (recipients: number, maxPerDay: number | null) => {
    const timing = { ...PLAIN, timeZone: { default: 'UTC' }, hours: minute };
    return sendingSeconds(timing, ms('2026-12-07T08:00:00Z'), recipients, { ...at, maxPerDay }, []);
  };
  const WEEK = 7 * 86_400;

  it('is told by what a slow sender gets done in the hours of each week', () => {
    expect(seconds(30, null)).to.equal(30);
    expect(seconds(60, null)).to.equal(WEEK);
    expect(seconds(150, null)).to.equal(2 * WEEK + 30);
  });

  it('is told by the days of a sender that warms up', () => {
    const warming = (recipients: number, maxPerDay: number | null, days = 0) => {
      const warmUp = { first: 10, target: 100, days };
      return sendingSeconds(null, 0, recipients, { ...at, maxPerDay, warmUp }, []);
    };
    const DAY = 86_400;
    expect(warming(10, null)).to.equal(10);
    expect(warming(150, null)).to.equal(3 * DAY + 80);
    expect(warming(1_000, null)).to.equal(4 * DAY + 850);
    expect(warming(150, 30)).to.equal(5 * DAY + 30);
    expect(warming(150, null, 4)).to.equal(150);
  });

  it('is told as well of thousands of years', () => {
    expect(seconds(1_000_000, 1)).to.be.greaterThan(1_000_000 * WEEK);
  });
});
