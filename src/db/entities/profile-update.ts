import { defineEntity, type InferEntity, p } from '@mikro-orm/postgresql';

/**
 * Profiles that got their latest change at the same time. Each profile is in an entry of the time of its latest change;
 * in those of earlier changes it may be, too, until it is removed from them.
 */
export const ProfileUpdateEntity = defineEntity({
  name: 'ProfileUpdate',
  tableName: 'profile_update',
  properties: {
    storeId: p.uuid().primary(),
    /** The `updated_at` of the profiles. */
    updatedAt: p.datetime(3).primary(),
    /** Tells entries of the same time apart. */
    entry: p.uuid().defaultRaw('gen_random_uuid()').primary(),
    profileIds: p.array().columnType('uuid[]'),
  },
});

export type ProfileUpdateRecord = InferEntity<typeof ProfileUpdateEntity>;
