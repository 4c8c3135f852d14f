/** In place of a customer who was erased, where a row stays. */
export const NOBODY = '00000000-0000-0000-0000-000000000000';
