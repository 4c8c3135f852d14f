import { NotAFeed } from './not-a-feed.ts';
import { parseRecord } from './parse-record.ts';
import type { ReadRecord } from './read-record.ts';

/** Characters of one element. */
const MAX_ELEMENT = 1024 * 1024;

/** Reads the elements of an array of JSON, one in memory at a time. Throws `NotAFeed` if it is none, or ends too early. */
export async function* readJsonArray(chunks: AsyncIterable<Buffer>): AsyncIterable<ReadRecord> {
  const decoder = new TextDecoder();
  let [depth, isInText, isEscaped, element, line, begins] = [0, false, false, '', 1, 1];
  let isOver = false;
  for await (const chunk of chunks) {
    const text = decoder.decode(chunk, { stream: true });
    let start = 0;
    for (let at = 0; at < text.length; at += 1) {
      const sign = text[at] as string;
      if (sign === '\n') line += 1;
      if (isInText) {
        if (isEscaped) isEscaped = false;
        else if (sign === '\\') isEscaped = true;
        else if (sign === '"') isInText = false;
        continue;
      }
      if (sign === '"') isInText = true;
      else if (sign === '[' || sign === '{') {
        depth += 1;
        if (depth === 1 && (sign !== '[' || isOver)) throw new NotAFeed('is not one array of JSON');
        if (depth === 2) [start, element, begins] = [at, '', line];
      } else if (sign === ']' || sign === '}') {
        depth -= 1;
        if (depth === 1) {
          yield { line: begins, ...parseRecord(element + text.slice(start, at + 1)) };
          element = '';
        }
        if (depth === 0) isOver = true;
        if (depth < 0) throw new NotAFeed('is not one array of JSON');
      }
    }
    if (depth > 1) element += text.slice(start);
    if (element.length > MAX_ELEMENT) throw new NotAFeed('has an element of more than 1 MB');
  }
  if (!isOver) throw new NotAFeed('ends too early');
}
