import { parseLosslessJson } from '../../lossless-json.ts';

/** Objects and lists within one another. */
const MAX_DEPTH = 40;

/** Returns what an answer says; undefined if it is no JSON, or deeper than anybody means. */
export function parseAnswer(text: string): unknown {
  if (depthOf(text) > MAX_DEPTH) return undefined;
  try {
    return parseLosslessJson(text);
  } catch {
    return undefined;
  }
}

/** Before it is parsed: what is deep can't be written again. */
function depthOf(text: string): number {
  let [depth, deepest, isQuoted] = [0, 0, false];
  for (let i = 0; i < text.length; i += 1) {
    const character = text[i];
    if (isQuoted) {
      if (character === '\\') i += 1;
      else if (character === '"') isQuoted = false;
    } else if (character === '"') isQuoted = true;
    else if (character === '{' || character === '[') depth += 1;
    else if (character === '}' || character === ']') depth -= 1;
    deepest = Math.max(deepest, depth);
  }
  return deepest;
}
