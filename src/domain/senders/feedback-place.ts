/** What proves who tells what comes back: what the store chose, and what the provider gave. */
export type FeedbackProof = 'feedback_secret' | 'feedback_key';

/** What it is sealed for. */
export function placeOfFeedback(storeId: string, senderId: string, what: FeedbackProof): readonly string[] {
  return ['sender', storeId, senderId, what];
}
