import { Tokenizer, TypeGuards } from 'liquidjs';
import { CONTEXT_FILTERS, compiledEngine } from './engines.ts';

/** How a brace is written that means itself. */
const LITERAL = '"{"';

/** Throws where an output of a compiled text would not be escaped: then compiling is at fault, and not the template. */
export function checkCompiled(text: string): void {
  compiledEngine.parse(text);
  for (const token of new Tokenizer(text).readTopLevelTokens()) {
    if (!TypeGuards.isOutputToken(token) || token.content === LITERAL) continue;
    const last = new Tokenizer(text, undefined, undefined, token.contentRange).readFilteredValue().filters.at(-1)?.name;
    if (last === undefined || (last !== 'raw' && !Object.hasOwn(CONTEXT_FILTERS, last))) {
      throw new Error(`An output is not escaped: ${token.getText().slice(0, 200)}`);
    }
  }
}
