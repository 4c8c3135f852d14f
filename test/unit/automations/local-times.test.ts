import { expect } from 'chai';
import { iso, isTimeZone, nextLocal, zoned } from '../../../src/domain/time/local.ts';
import { zoneOf } from '../../../src/domain/time/zone.ts';
import { clockChanges, ZONES } from './support/clock-changes.ts';

const at = (text: string) => Temporal.Instant.from(text).epochMilliseconds;

describe('local times', () => {
  it('come next today, or tomorrow if they are over', () => {
    expect(iso(nextLocal(at('2026-03-02T08:00:00Z'), '10:00', 'Europe/Berlin'))).to.equal('2026-03-02T09:00:00.000Z');
    expect(iso(nextLocal(at('2026-03-02T09:00:00Z'), '10:00', 'Europe/Berlin'))).to.equal('2026-03-02T09:00:00.000Z');
    expect(iso(nextLocal(at('2026-03-02T09:00:00.001Z'), '10:00', 'Europe/Berlin'))).to.equal(
      '2026-03-03T09:00:00.000Z',
    );
  });

  it('come next on one of the weekdays', () => {
    const saturday = at('2026-03-07T08:00:00Z');
    expect(iso(nextLocal(saturday, '10:00', 'UTC', ['mon', 'fri']))).to.equal('2026-03-09T10:00:00.000Z');
    expect(iso(nextLocal(saturday, '07:00', 'UTC', ['sat']))).to.equal('2026-03-14T07:00:00.000Z');
  });

  it('come later by an hour where the clock skips them', () => {
    expect(iso(nextLocal(at('2026-03-28T12:00:00Z'), '02:30', 'Europe/Berlin'))).to.equal('2026-03-29T01:30:00.000Z');
  });

  it('come on the next day where the clock skips midnight', () => {
    const justAfter = at('2018-05-04T15:10:00Z');
    expect(iso(nextLocal(justAfter, '23:45', 'Asia/Pyongyang'))).to.equal('2018-05-04T15:15:00.000Z');
  });

  it('come once where the clock shows them twice, the first time', () => {
    const first = nextLocal(at('2026-10-24T12:00:00Z'), '02:30', 'Europe/Berlin');
    expect(iso(first)).to.equal('2026-10-25T00:30:00.000Z');
    expect(iso(nextLocal(first + 1, '02:30', 'Europe/Berlin'))).to.equal('2026-10-26T01:30:00.000Z');
  });

  it(`come once a day at every clock change from 2000 to 2040, in ${ZONES.length} zones`, () => {
    for (const { zone, change } of clockChanges()) {
      for (const time of change.timesAround) {
        let moment = change.daysBefore;
        for (const date of change.dates) {
          moment = nextLocal(moment, time, zone);
          const shown = zoned(moment, zone).toPlainDateTime();
          const label = `${time} on ${date} in ${zone}`;
          if (showsTime(date, time, zone)) expect(shown.toString(), label).to.equal(`${date}T${time}:00`);
          else
            expect(
              shown.toString() > `${date}T${time}:00` && shown.since(`${date}T${time}`).hours <= 1,
              label,
            ).to.equal(true);
          moment += 1;
        }
      }
    }
  });
});

describe('the time zone of a customer', () => {
  it("is their own if it is one of the world's", () => {
    expect(zoneOf({ default: 'UTC' }, 'America/New_York')).to.deep.equal({ name: 'America/New_York' });
  });

  it('is the default otherwise, and says what it does not know', () => {
    expect(zoneOf({ default: 'UTC' }, undefined)).to.deep.equal({ name: 'UTC' });
    for (const value of ['Mars/Olympus', '+02:00', '', 5, 'Europe/Berlin ', {}]) {
      expect(zoneOf({ default: 'UTC' }, value)).to.deep.equal({ name: 'UTC', unknown: value });
    }
  });

  it('has a name of the IANA database', () => {
    for (const name of ['Europe/Berlin', 'Asia/Kathmandu', 'UTC']) expect(isTimeZone(name), name).to.equal(true);
    for (const name of ['Berlin', '+02:00', '-05', 'Europe/Berlin[u-ca=x]', ''])
      expect(isTimeZone(name), name).to.equal(false);
  });
});

/** Whether a clock of the zone shows a time on a date, found without asking for it. */
function showsTime(date: Temporal.PlainDate, time: string, zone: string): boolean {
  const day = date.toZonedDateTime(zone);
  const noon = date.toZonedDateTime({ timeZone: zone, plainTime: '12:00' }).epochMilliseconds;
  const wanted = Temporal.PlainTime.from(time);
  // Clocks change by a quarter of an hour or more, and by a day at most.
  for (const minutes of [-1440, -120, -60, -30, 0, 30, 60, 120, 1440]) {
    const offset = (wanted.hour - 12) * 60 + wanted.minute + minutes;
    const shown = zoned(noon + offset * 60_000, zone);
    if (shown.toPlainTime().equals(wanted) && shown.toPlainDate().equals(day.toPlainDate())) return true;
  }
  return false;
}
