import type { Address } from '../db/orm.ts';

/** What the thread that sends webhooks needs. */
export interface SenderSetup {
  address: Address;
  allowedNetworks: readonly string[];
  allowHttp: boolean;
}

export interface SendQuestion {
  storeId: string;
  endpointId: string;
}

export interface SendAnswer {
  /** Whether it ended early. */
  hasFailed: boolean;
}
