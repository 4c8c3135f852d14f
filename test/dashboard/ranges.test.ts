import { expect } from 'chai';
import { addDays, dayIn, monthsBefore, startIn, startOfMonth, startOfWeek } from '../../src/dashboard/range/days.ts';
import { comparedDays, compareOf, customDays, daysOf, intervalOf } from '../../src/dashboard/range/range.ts';

describe('The dashboard: ranges of days', () => {
  it('begin when the day does in the zone of the store, also where clocks change', () => {
    for (const zone of ['UTC', 'Europe/Berlin', 'Asia/Kathmandu', 'America/Sao_Paulo', 'Asia/Beirut', 'Pacific/Apia']) {
      for (let day = '2018-01-01'; day < '2019-03-01'; day = addDays(day, 1)) {
        const start = Temporal.PlainDate.from(day).toZonedDateTime(zone).epochMilliseconds;
        expect(startIn(zone, day), `${zone} ${day}`).to.equal(start);
        expect(dayIn(zone, start)).to.equal(day);
        expect(dayIn(zone, start - 1)).to.equal(addDays(day, -1));
      }
    }
  });

  it('are those of their names', () => {
    const today = '2024-02-29';
    expect(daysOf('today', today)).to.deep.equal({ first: today, last: today });
    expect(daysOf('7_days', today)).to.deep.equal({ first: '2024-02-23', last: today });
    expect(daysOf('this_month', today)).to.deep.equal({ first: '2024-02-01', last: today });
    expect(daysOf('last_month', today)).to.deep.equal({ first: '2024-01-01', last: '2024-01-31' });
    expect(daysOf('this_year', today)).to.deep.equal({ first: '2024-01-01', last: today });
    expect(daysOf('12_months', today)).to.deep.equal({ first: '2023-03-01', last: today });
    expect(startOfMonth('2024-01-15', -1)).to.equal('2023-12-01');
    expect(startOfWeek('2024-03-03')).to.equal('2024-02-26');
  });

  it('are compared with as many days before, or with the month or the year before', () => {
    const days = { first: '2024-02-01', last: '2024-02-29' };
    const today = '2024-03-02';
    const compared = (compare: Parameters<typeof comparedDays>[1], on = today) => comparedDays(days, compare, on);
    expect(compared('previous_period')).to.deep.equal({ first: '2024-01-03', last: '2024-01-31' });
    expect(compared('previous_year')).to.deep.equal({ first: '2023-02-01', last: '2023-02-28' });
    expect(compared('previous_month')).to.deep.equal({ first: '2024-01-01', last: '2024-01-31' });
    // The month has not ended yet.
    expect(compared('previous_month', '2024-02-29')).to.deep.equal({ first: '2024-01-01', last: '2024-01-29' });
    expect(monthsBefore('2024-03-31', 1)).to.equal('2024-02-29');
    expect(compareOf('previous_period', 'this_month')).to.equal('previous_month');
    expect(compareOf('previous_period', '7_days')).to.equal('previous_period');
    expect(compareOf('previous_year', 'last_month')).to.equal('previous_year');
  });

  it('are in order, not after today, and not longer than reports take, whatever an address says', () => {
    const today = '2026-11-20';
    expect(customDays({ from: 'x', to: '2026-13-01' }, today)).to.deep.equal({ first: '2026-10-22', last: today });
    expect(customDays({ from: '2027-01-01', to: '2026-11-01' }, today)).to.deep.equal({
      first: '2026-11-01',
      last: '2026-11-01',
    });
    const longest = customDays({ from: '1990-01-01', to: '2030-01-01' }, today);
    expect(longest).to.deep.equal({ first: '2025-11-20', last: today });
    expect(intervalOf(longest)).to.equal('month');
    expect(intervalOf({ first: today, last: today })).to.equal('hour');
  });
});
