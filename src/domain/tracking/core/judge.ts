/** A request for a link or the image of a message. Times are milliseconds. */
export interface Hit {
  id: string;
  at: number;
  kind: 'open' | 'click';
  /** Of the link, from 1; 0 for the one that nobody sees, null for an image. */
  link: number | null;
  url: string | null;
  /** Whether the request itself said that no person made it; of one that has been judged, whether none did. */
  isMachine: boolean;
  isJudged: boolean;
}

/** What is known of the message that they are of. */
export interface JudgedMessage {
  /** When it was handed over; null if it is not known. */
  begunAt: number | null;
  openedAt: number | null;
}

/** What hits that were waiting mean. */
export interface Judgement {
  /** By their ids: whether it was a machine. */
  verdicts: ReadonlyMap<string, boolean>;
  /** The first open by a person; undefined if there was one before. */
  opened: Hit | undefined;
  /** Clicks that are events: of each link the first one within an hour. */
  clicked: readonly Hit[];
}

/** Milliseconds that a hit waits to be judged: what follows at once says what it was. */
export const WAIT_MS = 5_000;
/** Nobody reads so soon after a message was handed over. */
const TOO_SOON_MS = 3_000;
/** Nobody follows so many links within so long. */
const [MANY_LINKS, MANY_LINKS_MS] = [3, 2_000];
/** Around a request for the link that nobody sees. */
const HIDDEN_MS = 10_000;
const HOUR_MS = 60 * 60 * 1000;

/** Judges the hits of a message that have waited long enough. `hits`: those of the last day. */
export function judge({ begunAt, openedAt }: JudgedMessage, hits: readonly Hit[], now: number): Judgement {
  const inOrder = hits.toSorted((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1));
  const due = inOrder.filter(({ at, isJudged }) => !isJudged && at <= now - WAIT_MS);
  const ofMany = clicksOnMany(inOrder);
  const isMachine = (hit: Hit) =>
    hit.isMachine ||
    (begunAt !== null && hit.at < begunAt + TOO_SOON_MS) ||
    inOrder.some(({ link, at }) => link === 0 && Math.abs(at - hit.at) <= HIDDEN_MS) ||
    ofMany.has(hit.id);
  const verdicts = new Map(due.map((hit) => [hit.id, isMachine(hit)]));
  const byPeople = due.filter(({ id }) => verdicts.get(id) === false);
  const lastClicks = new Map<string, number>();
  for (const hit of inOrder) {
    if (hit.isJudged && !hit.isMachine && hit.kind === 'click') lastClicks.set(linkOf(hit), hit.at);
  }
  const clicked = byPeople.filter((hit) => {
    if (hit.kind !== 'click') return false;
    const isFirst = Math.abs(hit.at - (lastClicks.get(linkOf(hit)) ?? Number.NEGATIVE_INFINITY)) >= HOUR_MS;
    if (isFirst) lastClicks.set(linkOf(hit), hit.at);
    return isFirst;
  });
  const opened = openedAt === null ? byPeople.find(({ kind }) => kind === 'open') : undefined;
  return { verdicts, opened, clicked };
}

/** Ids of clicks on many links at once. */
function clicksOnMany(inOrder: readonly Hit[]): Set<string> {
  const clicks = inOrder.filter(({ kind }) => kind === 'click');
  const ids = new Set<string>();
  for (const [i, { at: begin }] of clicks.entries()) {
    const together = clicks.slice(i).filter(({ at }) => at <= begin + MANY_LINKS_MS);
    if (new Set(together.map(linkOf)).size < MANY_LINKS) continue;
    for (const { id } of together) ids.add(id);
  }
  return ids;
}

function linkOf({ link, url }: Hit): string {
  return `${link} ${url}`;
}
