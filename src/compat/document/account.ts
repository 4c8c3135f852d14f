import type { Account } from '../../../generated/compat/types.gen.ts';

interface StoreAccount {
  storeName: string;
  /** Newest first. */
  publicKeys: readonly string[];
}

/** Returns the store as an account; what the service does not know of it is null, or empty where SDKs insist on a text. */
export function toAccount(storeId: string, { storeName, publicKeys }: StoreAccount, base: string): Account {
  const street_address = { address1: null, address2: null, city: '', region: null, country: null, zip: null } as const;
  return {
    type: 'account',
    id: storeId,
    attributes: {
      test_account: false,
      contact_information: {
        default_sender_name: storeName,
        default_sender_email: '',
        website_url: null,
        organization_name: storeName,
        street_address,
      },
      industry: null,
      timezone: 'UTC',
      preferred_currency: '',
      public_api_key: publicKeys[0] ?? storeId,
      locale: 'en-US',
    },
    links: { self: `${base}/accounts/${storeId}` },
  };
}
