import { defineEntity, p } from '@mikro-orm/postgresql';

/** What a person may do in a store. */
export const MembershipEntity = defineEntity({
  name: 'Membership',
  tableName: 'membership',
  properties: {
    storeId: p.uuid().primary(),
    personId: p.uuid().primary(),
    role: p.text().check("role in ('owner', 'admin', 'marketer', 'analyst', 'support')"),
    createdAt: p.datetime(3),
    /** What they are told of the store by mail. */
    attentionMails: p.boolean().default(false),
    weeklyReport: p.boolean().default(false),
  },
  indexes: [{ name: 'membership_of_person', properties: ['personId'] }],
});
