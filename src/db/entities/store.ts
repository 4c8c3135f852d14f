import { defineEntity, type InferEntity, p } from '@mikro-orm/postgresql';

/** A tenant: every profile, event and key belongs to one. */
export const StoreEntity = defineEntity({
  name: 'Store',
  tableName: 'store',
  properties: {
    id: p.uuid().primary(),
    name: p.text().unique('store_name_key'),
    /** What its customers know it by; null for its name. */
    displayName: p.text().strictNullable(),
    /** IANA, in which it reckons; null for UTC. */
    timeZone: p.text().strictNullable(),
    /** ISO 4217, of amounts that say none. */
    currency: p.text().strictNullable(),
    websiteUrl: p.text().strictNullable(),
    /** ISO 3166, in two letters. */
    country: p.text().strictNullable(),
    /** For how many days it keeps what has changed of its customers, and who has changed it; 0 if it does not. */
    historyDays: p.integer().check('history_days >= 0 and history_days <= 400').default(0),
    /** Whether its people have to prove a second factor. */
    requiresSecondFactor: p.boolean().default(false),
    /** Whether people may sign in to the dashboard with its keys. */
    keySignIn: p.boolean().default(true),
    /** What its images are under, for those who open them; null until it has one. */
    imageToken: p.uuid().unique('store_image_token_key').strictNullable(),
    createdAt: p
      .datetime(3)
      .defaultRaw('now()')
      .onCreate(() => new Date()),
  },
});

export type Store = InferEntity<typeof StoreEntity>;
