/** What must follow something, and within how many milliseconds; or must not have. */
export interface Following {
  within: number;
  happened: boolean;
}

/**
 * Whether of some times, in their order, one is followed by one of others, which are later and by at most so much; or, if
 * that must not have happened, whether one is not, though so much time has passed until now. All in milliseconds.
 */
export function isFollowed(
  firsts: readonly number[],
  others: readonly number[],
  { within, happened }: Following,
  now: number,
): boolean {
  let next = 0;
  for (const first of firsts) {
    while (next < others.length && (others[next] as number) <= first) next += 1;
    const follower = others[next];
    const follows = follower !== undefined && follower <= first + within;
    if (happened ? follows : !follows && now > first + within) return true;
  }
  return false;
}
