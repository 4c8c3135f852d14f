/** A part of a message that has no parts itself. */
export interface Part {
  /** In lower case, as `message/delivery-status`. */
  type: string;
  /** Decoded, each byte a character. */
  body: string;
}

/** Headers by their names in lower case; of several with a name, the first. */
export type Headers = ReadonlyMap<string, string>;

/** Parts of a message that are looked at, and how deep they may lie. */
const [MOST_PARTS, MAX_DEPTH] = [100, 5];
/** Characters of the headers of a part, and of one header. */
const [MAX_HEAD, MAX_HEADER] = [64 * 1024, 2_000];

/** Returns the headers of a message, and its parts: what is broken or too deep has none. `text`: each byte a character. */
export function readMime(text: string): { headers: Headers; parts: Part[] } {
  const parts: Part[] = [];
  const { headers, body } = divide(text);
  collect(headers, body, 0, parts);
  return { headers, parts };
}

/** Reads a block of headers, or of fields in their form; long ones are cut, and NUL, which no database takes, is replaced. */
export function readHeaders(block: string): Headers {
  const headers = new Map<string, string>();
  for (const line of block
    .replaceAll('\0', ' ')
    .replace(/\r?\n[ \t]+/g, ' ')
    .split(/\r?\n/)) {
    const colon = line.indexOf(':');
    if (colon <= 0 || colon > 100) continue;
    const name = line.slice(0, colon).trim().toLowerCase();
    if (!headers.has(name)) headers.set(name, line.slice(colon + 1, colon + 1 + MAX_HEADER).trim());
  }
  return headers;
}

/** Everything before the first empty line is headers. */
function divide(text: string): { headers: Headers; body: string } {
  const found = /\r?\n\r?\n/.exec(text.slice(0, MAX_HEAD));
  // What ends before its body has none, and what never ends its headers is no message.
  if (!found) return { headers: readHeaders(text.slice(0, MAX_HEAD)), body: '' };
  return { headers: readHeaders(text.slice(0, found.index)), body: text.slice(found.index + found[0].length) };
}

function collect(headers: Headers, body: string, depth: number, parts: Part[]): void {
  if (parts.length >= MOST_PARTS) return;
  const given = headers.get('content-type') ?? 'text/plain';
  const type = (given.split(';', 1)[0] as string).trim().toLowerCase();
  const boundary = type.startsWith('multipart/') ? boundaryOf(given) : undefined;
  if (boundary === undefined || depth >= MAX_DEPTH) {
    parts.push({ type, body: decode(body, headers.get('content-transfer-encoding')) });
    return;
  }
  for (const inner of piecesOf(body, boundary)) {
    const part = divide(inner);
    collect(part.headers, part.body, depth + 1, parts);
    if (parts.length >= MOST_PARTS) return;
  }
}

function boundaryOf(contentType: string): string | undefined {
  const [, quoted, plain] = /;\s*boundary\s*=\s*(?:"([^"]{1,200})"|([^\s;"]{1,200}))/i.exec(contentType) ?? [];
  return quoted ?? plain;
}

/** What lies between the lines with the boundary; the last piece may be cut off. */
function piecesOf(body: string, boundary: string): string[] {
  const pieces: string[] = [];
  const mark = `--${boundary}`;
  let start = -1;
  for (let at = body.indexOf(mark); at !== -1; at = body.indexOf(mark, at + mark.length)) {
    if (at > 0 && body[at - 1] !== '\n') continue;
    if (start !== -1) pieces.push(body.slice(start, at));
    if (body.startsWith('--', at + mark.length) || pieces.length >= MOST_PARTS) return pieces;
    const end = body.indexOf('\n', at);
    if (end === -1) return pieces;
    start = end + 1;
  }
  if (start !== -1) pieces.push(body.slice(start));
  return pieces;
}

function decode(body: string, encoding = ''): string {
  switch (encoding.trim().toLowerCase()) {
    case 'base64':
      return Buffer.from(body, 'base64').toString('latin1');
    case 'quoted-printable':
      return (
        body
          // What is before the sign is text; what is after it was added on the way.
          .replace(/=[ \t]*\r?\n/g, '')
          .replace(/=([0-9A-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
      );
    default:
      return body;
  }
}
