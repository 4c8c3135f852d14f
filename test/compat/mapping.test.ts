import { expect } from 'chai';
import { toEventType } from '../../src/compat/document/metric.ts';
import { parseLenientTime } from '../../src/compat/lenient-time.ts';

describe('Times of the compatibility surface', () => {
  it('are parsed in the forms that clients send', () => {
    const noon = '2025-06-01T12:00:00.000Z';
    for (const text of [
      noon,
      '2025-06-01 12:00:00',
      '2025-06-01T12:00',
      '2025-06-01T14:00:00+0200',
      '2025-06-01 12:00:00.000000 +00',
    ]) {
      expect(parseLenientTime(text)?.toISOString(), text).to.equal(noon);
    }
    expect(parseLenientTime('2025-06-01')?.toISOString()).to.equal('2025-06-01T00:00:00.000Z');
    for (const text of ['', 'now', '06/01/2025', '1750000000', '2025-06-31T00:00:00Z']) {
      expect(parseLenientTime(text), text).to.equal(undefined);
    }
  });
});

describe('Metrics of the compatibility surface', () => {
  it('are converted to event types in snake_case', () => {
    const types = {
      'Placed Order': 'placed_order',
      PlacedOrder: 'placed_order',
      'placed-order!': 'placed_order',
      'Compte validé': 'compte_validé',
      '🎉': '🎉',
    };
    for (const [name, type] of Object.entries(types)) expect(toEventType(name)).to.equal(type);
    expect([...toEventType('Aa'.repeat(64))]).to.have.length(128);
  });
});
