import type { Account } from '../../../generated/compat/types.gen.ts';
import { type StoreSettings, shownName } from '../../domain/store-settings.ts';

interface StoreAccount {
  store: StoreSettings;
  /** Newest first. */
  publicKeys: readonly string[];
}

/** Returns the store as an account; what the service does not know of it is null, or empty where SDKs insist on a text. */
export function toAccount(storeId: string, { store, publicKeys }: StoreAccount, base: string): Account {
  const { country, currency, timeZone, websiteUrl } = store;
  const street_address = { address1: null, address2: null, city: '', region: null, country, zip: null } as const;
  return {
    type: 'account',
    id: storeId,
    attributes: {
      test_account: false,
      contact_information: {
        default_sender_name: shownName(store),
        default_sender_email: '',
        website_url: websiteUrl,
        organization_name: shownName(store),
        street_address,
      },
      industry: null,
      timezone: timeZone ?? 'UTC',
      preferred_currency: currency ?? '',
      public_api_key: publicKeys[0] ?? storeId,
      locale: 'en-US',
    },
    links: { self: `${base}/accounts/${storeId}` },
  };
}
