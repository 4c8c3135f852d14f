import type { ReplyWord } from './words.ts';

/** What somebody has answered to a text message. */
export interface Reply {
  /** By which whoever tells it knows it, unique for the sender; 255 characters at most. */
  id: string;
  /** An international number; null if there is none. */
  from: string | null;
  text: string;
  /** What it means, where whoever tells it has found that out. */
  word: ReplyWord | undefined;
  /** When it came; null for now. */
  at: Date | null;
}

/** A reply that was told for the first time. */
export interface Heard extends Reply {
  word: ReplyWord | undefined;
  at: Date;
  /** Whether it came just now, as nobody says when it did. */
  isNow: boolean;
  /** Who has the number; undefined if nobody has. */
  profileId: string | undefined;
}
