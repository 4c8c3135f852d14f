const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g;
const STEP = '  ';

/** A JSON text, indented: each value stays as it is written, numbers with all of their digits. */
export function indented(text: string): string {
  const tokens = text.match(TOKEN) ?? [];
  let depth = 0;
  const line = () => `\n${STEP.repeat(depth)}`;
  return tokens
    .map((token, n) => {
      if (token === '{' || token === '[') {
        if (isClosing(tokens[n + 1])) return token;
        depth += 1;
        return token + line();
      }
      if (isClosing(token)) {
        if (isOpening(tokens[n - 1])) return token;
        depth -= 1;
        return line() + token;
      }
      return token === ',' ? token + line() : token === ':' ? ': ' : token;
    })
    .join('');
}

const isOpening = (token: string | undefined) => token === '{' || token === '[';
const isClosing = (token: string | undefined) => token === '}' || token === ']';
