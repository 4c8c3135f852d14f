/** The name under which the position in a store's change feed is kept. */
export const READER = 'automations';
