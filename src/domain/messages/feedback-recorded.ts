/** What became of the items of a request in which a provider tells something. */
export interface FeedbackRecorded {
  /** New ones, of messages of the store. */
  recorded: number;
  /** Those that were told before. */
  repeated: number;
  /** Those of which the store has no message. */
  unmatched: number;
}
