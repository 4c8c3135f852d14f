import { expect } from 'chai';
import type { DateTrigger } from '../../../src/domain/automations/core/definition/definition.ts';
import { nextOccasion } from '../../../src/domain/automations/core/time/dates.ts';
import { iso } from '../../../src/domain/time/local.ts';
import { automation, BIRTHDAY, chain, mark } from './support/definitions.ts';
import { Shop, START } from './support/shop.ts';

function trigger(parts: Partial<DateTrigger> = {}): DateTrigger {
  return { type: 'date', attribute: 'birthday', repeat: 'yearly', at: '09:00', ...parts };
}

function next(parts: Partial<DateTrigger>, value: unknown, after: string, zone = 'UTC'): string | undefined {
  const occasion = nextOccasion(trigger(parts), value, zone, Temporal.Instant.from(after).epochMilliseconds);
  return occasion && iso(occasion.dueAt);
}

describe('date triggers', () => {
  it('come every year on the day', () => {
    expect(next({}, '1990-05-17', '2026-03-01T00:00:00Z')).to.equal('2026-05-17T09:00:00.000Z');
    expect(next({}, '1990-05-17', '2026-05-17T09:00:00Z')).to.equal('2027-05-17T09:00:00.000Z');
  });

  it('come in no year before the date', () => {
    expect(next({}, '2028-05-17', '2026-03-01T00:00:00Z')).to.equal('2028-05-17T09:00:00.000Z');
    expect(next({}, '2040-05-17', '2026-03-01T00:00:00Z')).to.equal('2040-05-17T09:00:00.000Z');
  });

  it('come on 28 February for a 29th, in years without', () => {
    expect(next({}, '2000-02-29', '2026-01-01T00:00:00Z')).to.equal('2026-02-28T09:00:00.000Z');
    expect(next({}, '2000-02-29', '2028-01-01T00:00:00Z')).to.equal('2028-02-29T09:00:00.000Z');
  });

  it('come as many days before or after, at the same time of day', () => {
    expect(next({ offset: '-P7D' }, '1990-01-03', '2026-03-01T00:00:00Z')).to.equal('2026-12-27T09:00:00.000Z');
    expect(next({ offset: 'P1W' }, '1990-05-17', '2026-03-01T00:00:00Z')).to.equal('2026-05-24T09:00:00.000Z');
    // The clocks are put forward on the 29th.
    const before = next({ offset: '-P7D' }, '1990-04-01', '2026-03-01T00:00:00Z', 'Europe/Berlin');
    expect(before).to.equal('2026-03-25T08:00:00.000Z');
  });

  it('come as many hours before or after', () => {
    expect(next({ offset: '-PT3H' }, '1990-05-17', '2026-03-01T00:00:00Z')).to.equal('2026-05-17T06:00:00.000Z');
  });

  it('come once where they do not repeat', () => {
    expect(next({ repeat: 'once' }, '2026-05-17', '2026-03-01T00:00:00Z')).to.equal('2026-05-17T09:00:00.000Z');
    expect(next({ repeat: 'once' }, '2026-05-17', '2026-05-17T09:00:00Z')).to.equal(undefined);
  });

  it('take the date of a timestamp as it is written', () => {
    expect(next({}, '1990-05-17T00:00:00+02:00', '2026-03-01T00:00:00Z')).to.equal('2026-05-17T09:00:00.000Z');
  });

  it('come later where the clock skips the time, and the first time where it comes twice', () => {
    const [gap, overlap] = ['1990-03-29', '1990-10-25'].map((day) =>
      next({ at: '02:30' }, day, '2026-01-01T00:00:00Z', 'Europe/Berlin'),
    );
    expect(gap).to.equal('2026-03-29T01:30:00.000Z');
    expect(overlap).to.equal('2026-10-25T00:30:00.000Z');
  });

  it('never come for what is no date', () => {
    for (const value of [undefined, null, 19900517, '17.5.1990', '1990-02-30', '1990-5-17', '1990-05-17x', {}]) {
      expect(next({}, value, '2026-03-01T00:00:00Z'), String(value)).to.equal(undefined);
    }
  });

  it('come once a year, for every birthday and offset', () => {
    for (const day of ['01-01', '02-28', '02-29', '06-30', '12-31']) {
      for (const offset of ['-P400D', '-P30D', 'P0D', 'P30D', 'P400D']) {
        let after = START;
        const found: number[] = [];
        for (let i = 0; i < 8; i += 1) {
          after = nextOccasion(trigger({ offset }), `1984-${day}`, 'Pacific/Auckland', after)?.dueAt as number;
          found.push(after);
        }
        const gaps = found.slice(1).map((each, i) => Math.round((each - (found[i] as number)) / 86_400_000));
        expect(
          gaps.every((days) => days === 365 || days === 366),
          `${day} ${offset}`,
        ).to.equal(true);
      }
    }
  });
});

describe('an automation with a date trigger', () => {
  const DUE = Temporal.Instant.from('2026-05-10T09:00:00Z').epochMilliseconds;

  it('starts a run for the occasion, and plans the next one', () => {
    const shop = new Shop(BIRTHDAY, { attributes: { birthday: '1990-05-17' } });
    shop.now = DUE;
    shop.tell('ada', { type: 'date', occasion: { dueAt: DUE, day: '2026-05-17' }, runId: 'run' });
    expect(shop.runs.get('run')?.trigger.id).to.equal('date:ada:2026-05-17');
    expect(shop.effects).to.deep.equal([
      {
        type: 'schedule_date',
        occasion: { dueAt: Temporal.Instant.from('2027-05-10T09:00:00Z').epochMilliseconds, day: '2027-05-17' },
        at: DUE,
      },
    ]);
  });

  it('starts none if the date has changed since it was planned, and plans the one that holds', () => {
    const shop = new Shop(BIRTHDAY, { attributes: { birthday: '1990-06-17' } });
    shop.now = DUE;
    shop.tell('ada', { type: 'date', occasion: { dueAt: DUE, day: '2026-05-17' }, runId: 'run' });
    expect(shop.runs.size).to.equal(0);
    expect(shop.skips().map(({ reason }) => reason)).to.deep.equal(['date_moved']);
    const [, plan] = shop.effects as [unknown, { occasion: { day: string } }];
    expect(plan.occasion.day).to.equal('2026-06-17');
  });

  it('plans the date anew when it changes, and when the time zone does', () => {
    const zoned = { ...BIRTHDAY, time_zone: { attribute: 'zone', default: 'UTC' } };
    const shop = new Shop(zoned, { attributes: { birthday: '1990-05-17' } });
    shop.set({ birthday: '1990-06-17' });
    shop.set({ city: 'Ulm' });
    shop.set({ zone: 'Europe/Berlin' });
    shop.set({ birthday: null });
    const plans = shop.effects.map((effect) => effect.type === 'schedule_date' && effect.occasion);
    expect(plans.map((plan) => plan && iso(plan.dueAt))).to.deep.equal([
      '2026-06-10T09:00:00.000Z',
      '2026-06-10T07:00:00.000Z',
      null,
    ]);
  });

  it('starts none a day too late', () => {
    const definition = automation({ trigger: trigger(), steps: chain(mark('done')) });
    const shop = new Shop(definition, { attributes: { birthday: '1990-05-17' } });
    const dueAt = Temporal.Instant.from('2026-05-17T09:00:00Z').epochMilliseconds;
    shop.now = dueAt + 86_400_001;
    shop.tell('ada', { type: 'date', occasion: { dueAt, day: '2026-05-17' }, runId: 'run' });
    expect(shop.skips().map(({ reason }) => reason)).to.deep.equal(['late']);
  });
});
