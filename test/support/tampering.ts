const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
/** None of the alphabet: left out, doubled, or what other alphabets and transports have. */
const OTHERS = ['', '=', '+', '/', '%', ' ', '\n', '\0', 'é', '😀', 'AA'];
/** What stands in the place of a character of the text that a token encodes. */
const OF_TEXT = ['0', '9', '-', ' ', ':', ',', 'f', 'G', '', '\0', '\n', '\u{10ffff}'];

/** Every token that a token of base64url becomes when one of its characters, or of those it encodes, is another one. */
export function* tamperings(token: string): Generator<string> {
  for (let i = 0; i < token.length; i += 1) {
    for (const character of [...ALPHABET, ...OTHERS]) yield token.slice(0, i) + character + token.slice(i + 1);
  }
  const text = Buffer.from(token, 'base64url').toString();
  for (let i = 0; i <= text.length; i += 1) {
    for (const character of OF_TEXT) {
      for (const end of [i, i + 1])
        yield Buffer.from(text.slice(0, i) + character + text.slice(end)).toString('base64url');
    }
  }
}
