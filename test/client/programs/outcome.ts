/** What a program of each generated client sees, all of it read in the types of the client. */
export interface Outcome {
  /** Of a placed order that it recorded. */
  event: string;
  /** The e-mail address of a profile that it upserted. */
  profile: string | null;
  /** Of the error for an event without a valid e-mail address. */
  code: string;
  field: string | null | undefined;
}
