import { defineEntity, p } from '@mikro-orm/postgresql';

/** What a request of a provider was proven by, where that is good for one request only; kept for a day. */
export const HookProofEntity = defineEntity({
  name: 'HookProof',
  tableName: 'hook_proof',
  properties: {
    storeId: p.uuid().primary(),
    senderId: p.uuid().primary(),
    token: p.text().primary(),
    /** What the request tells, by the id of that. */
    told: p.text(),
    receivedAt: p.datetime(3),
  },
  indexes: [{ name: 'hook_proof_received', properties: ['storeId', 'receivedAt'] }],
});
