import { expect } from 'chai';
import { iso, zoned } from '../../../src/domain/time/local.ts';
import { quietUntil } from '../../../src/domain/time/quiet-hours.ts';
import { clockChanges } from './support/clock-changes.ts';

const NIGHT = { from: '21:00', to: '08:00' };

function endOf(hours: typeof NIGHT, zone: string, now: string): string | undefined {
  const end = quietUntil(hours, zone, Temporal.Instant.from(now).epochMilliseconds);
  return end === undefined ? undefined : iso(end);
}

describe('quiet hours', () => {
  it('are from the first time to the second, which is not quiet', () => {
    const noon = { from: '12:00', to: '14:00' };
    expect(endOf(noon, 'UTC', '2026-03-02T11:59:59Z')).to.equal(undefined);
    expect(endOf(noon, 'UTC', '2026-03-02T12:00:00Z')).to.equal('2026-03-02T14:00:00.000Z');
    expect(endOf(noon, 'UTC', '2026-03-02T13:59:59Z')).to.equal('2026-03-02T14:00:00.000Z');
    expect(endOf(noon, 'UTC', '2026-03-02T14:00:00Z')).to.equal(undefined);
  });

  it('may go past midnight', () => {
    expect(endOf(NIGHT, 'UTC', '2026-03-02T22:00:00Z')).to.equal('2026-03-03T08:00:00.000Z');
    expect(endOf(NIGHT, 'UTC', '2026-03-03T07:00:00Z')).to.equal('2026-03-03T08:00:00.000Z');
    expect(endOf(NIGHT, 'UTC', '2026-03-03T09:00:00Z')).to.equal(undefined);
  });

  it("are by the customer's clock", () => {
    expect(endOf(NIGHT, 'America/New_York', '2026-03-02T12:30:00Z')).to.equal('2026-03-02T13:00:00.000Z');
    expect(endOf(NIGHT, 'Asia/Tokyo', '2026-03-02T12:30:00Z')).to.equal('2026-03-02T23:00:00.000Z');
  });

  it('end twice where the clock shows their end twice', () => {
    const early = { from: '21:00', to: '02:30' };
    expect(endOf(early, 'Europe/Berlin', '2026-10-25T00:10:00Z')).to.equal('2026-10-25T00:30:00.000Z');
    expect(endOf(early, 'Europe/Berlin', '2026-10-25T00:40:00Z')).to.equal(undefined);
    expect(endOf(early, 'Europe/Berlin', '2026-10-25T01:10:00Z')).to.equal('2026-10-25T01:30:00.000Z');
  });

  it('end after a day at most, when the clock shows no quiet time, at every clock change from 2000 to 2040', () => {
    const isQuiet = (time: string, { from, to }: typeof NIGHT) =>
      from < to ? from <= time && time < to : from <= time || time < to;
    for (const { zone, change } of clockChanges()) {
      const [to] = change.timesAround as [string];
      for (const hours of [
        { from: '21:00', to },
        { from: to, to: '12:17' },
      ]) {
        for (let now = change.daysBefore; now < change.daysBefore + 4 * 86_400_000; now += 3 * 3_600_000) {
          const end = quietUntil(hours, zone, now);
          const label = `${hours.from} to ${hours.to} in ${zone} at ${iso(now)}`;
          const clock = (ms: number) => zoned(ms, zone).toPlainTime().toString({ smallestUnit: 'minute' });
          expect(end !== undefined, label).to.equal(isQuiet(clock(now), hours));
          if (end === undefined) continue;
          expect(end > now && end <= now + 2 * 86_400_000, label).to.equal(true);
          expect(isQuiet(clock(end), hours), label).to.equal(false);
        }
      }
    }
  });
});
