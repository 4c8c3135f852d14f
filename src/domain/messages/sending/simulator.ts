import type { HandedOver } from './outcome.ts';

/** The domain whose addresses answer an outbox as their names say. */
const DOMAIN = '@simulator.test';

/** What a relay would have answered: an outbox keeps everything, but for what its simulator refuses. */
export function answerOfOutbox(address: string): Exclude<HandedOver, { outcome: 'failed' }> {
  const name = address.endsWith(DOMAIN) ? address.slice(0, -DOMAIN.length) : '';
  const refused = { outcome: 'refused', of: 'recipient' } as const;
  if (name === 'bounce') {
    return {
      ...refused,
      permanent: true,
      code: 550,
      enhanced: '5.1.1',
      response: '550 5.1.1 No such mailbox (simulated)',
    };
  }
  if (name === 'slow') {
    return {
      ...refused,
      permanent: false,
      code: 450,
      enhanced: '4.2.1',
      response: '450 4.2.1 Try again later (simulated)',
    };
  }
  if (name === 'complaint') return { outcome: 'accepted', response: 'Kept in the outbox', isComplained: true };
  return { outcome: 'accepted', response: 'Kept in the outbox' };
}
