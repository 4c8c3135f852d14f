/** What a file is not: a feed, or all of one. Nothing may be hidden because of it. */
export class NotAFeed extends Error {
  override readonly name = 'NotAFeed';
}
