/** Requests as bytes on a connection. */

/** Stands for an API key, and is as long. */
export const KEY = 'K'.repeat(42);

const EVENT = '{"event_type":"seen","profile":{"email":"a@example.com"}}';
/** What a proxy in front would take for the body of a harmless request, and a fooled service for a second one. */
const SMUGGLED_EVENT = '{"event_type":"smuggled","profile":{"email":"a@example.com"}}';
const HOST = 'Host: localhost';
const AUTH = `Authorization: Bearer ${KEY}`;
const JSON_TYPE = 'Content-Type: application/json';
const lines = (...all: string[]) => all.join('\r\n');
const SMUGGLED = lines(
  'POST /v1/events HTTP/1.1',
  HOST,
  AUTH,
  JSON_TYPE,
  `Content-Length: ${SMUGGLED_EVENT.length}`,
  '',
  SMUGGLED_EVENT,
);
const chunked = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n0\r\n\r\n`;

/** An event with some headers and a body of one's own. */
const post = (headers: string[], body: string) =>
  lines('POST /v1/events HTTP/1.1', HOST, AUTH, JSON_TYPE, ...headers, '', body);
/** The same with a body that is valid, to show what is wrong with a header. */
const valid = (...headers: string[]) => post([`Content-Length: ${EVENT.length}`, ...headers], EVENT);
const get = (target: string, ...headers: string[]) => lines(`GET ${target} HTTP/1.1`, HOST, AUTH, ...headers, '', '');
const numbered = (count: number, header: (i: number) => string) => Array.from({ length: count }, (_, i) => header(i));

/** Bytes, and the statuses of the answers in their order; `closed` for a connection that ends without one. */
export const WIRE: Record<string, [bytes: string, answers: number[] | 'closed']> = {
  // Where one request ends and the next begins.
  'a length and chunks, of which the chunks end first': [
    post([`Content-Length: ${SMUGGLED.length + 5}`, 'Transfer-Encoding: chunked'], `0\r\n\r\n${SMUGGLED}`),
    [400],
  ],
  'chunks and a length, of which the length ends first': [
    post(['Transfer-Encoding: chunked', 'Content-Length: 4'], chunked(SMUGGLED)),
    [400],
  ],
  'two lengths': [post(['Content-Length: 0', `Content-Length: ${SMUGGLED.length}`], SMUGGLED), [400]],
  'two lengths that are the same': [valid(`Content-Length: ${EVENT.length}`), [400]],
  'two lengths in one header': [post([`Content-Length: ${EVENT.length}, ${EVENT.length}`], EVENT), [400]],
  'a length with a plus': [post([`Content-Length: +${EVENT.length}`], EVENT), [400]],
  'a negative length': [post(['Content-Length: -1'], EVENT), [400]],
  'a length in hexadecimal': [post([`Content-Length: 0x${EVENT.length.toString(16)}`], EVENT), [400]],
  'a length beyond 64 bits': [post(['Content-Length: 99999999999999999999999'], EVENT), [400]],
  'an empty length': [post(['Content-Length:'], EVENT), [400]],
  'a length of 6 MB and no body': [post(['Content-Length: 6291456'], ''), [400]],
  'a name with a space before its colon': [post([`Content-Length : ${EVENT.length}`], EVENT), [400]],
  'chunked, misspelt': [post(['Transfer-Encoding: xchunked'], chunked(SMUGGLED)), [400]],
  'chunked and then something else': [post(['Transfer-Encoding: chunked, identity'], chunked(SMUGGLED)), [400]],
  'chunked twice': [post(['Transfer-Encoding: chunked', 'Transfer-Encoding: chunked'], chunked(SMUGGLED)), [400]],
  'chunked after a tab': [post(['Transfer-Encoding:\tchunked'], chunked(EVENT)), [201]],
  'chunked on a folded line': [post(['Transfer-Encoding:\r\n chunked'], chunked(EVENT)), [400]],
  'a folded header': [valid('X-Folded: one\r\n two'), [400]],
  'bare line feeds': [valid().replaceAll('\r\n', '\n'), [400]],
  'a bare line feed in the headers': [valid('X-A: 1\nX-B: 2'), [400]],
  'a bare carriage return in a header': [valid('X-A: 1\rX-B: 2'), [400]],
  'a NUL in a header': [valid('X-A: 1\u00002'), [400]],
  'a control character in a header name': [valid('X\u0001A: 1'), [400]],
  'a header without a colon': [valid('no colon here'), [400]],
  'a header without a name': [valid(': value'), [400]],
  'bytes above 127 in a header': [valid('X-Name: caf\u00e9'), [201]],
  'a chunk of a negative size': [post(['Transfer-Encoding: chunked'], `-5\r\n${EVENT}\r\n0\r\n\r\n`), [400]],
  'a chunk beyond 64 bits': [post(['Transfer-Encoding: chunked'], `ffffffffffffffffff\r\n${EVENT}`), [400]],
  'a chunk that is longer than its size': [post(['Transfer-Encoding: chunked'], `5\r\n${EVENT}\r\n0\r\n\r\n`), [400]],
  'a chunk size that is none': [post(['Transfer-Encoding: chunked'], `zz\r\n${EVENT}\r\n0\r\n\r\n`), [400]],
  'chunks that end in bare line feeds': [
    post(['Transfer-Encoding: chunked'], chunked(EVENT).replaceAll('\r\n', '\n')),
    [400],
  ],
  'megabytes of chunk extensions': [post(['Transfer-Encoding: chunked'], `5;${'x'.repeat(100_000)}\r\n`), [400]],
  'a trailer that would be a header': [
    post(['Transfer-Encoding: chunked'], chunked(EVENT).replace(/\r\n$/, 'Authorization: Basic x\r\n\r\n')),
    [201],
  ],
  'chunks of one byte': [
    post(['Transfer-Encoding: chunked'], `${[...EVENT].map((c) => `1\r\n${c}\r\n`).join('')}0\r\n\r\n`),
    [201],
  ],
  'a second request after the end of the first': [`${valid()}${valid()}`, [201, 201]],
  'a second request after 6 MB that are too much': [
    post([`Content-Length: ${6e6}`], 'x'.repeat(6e6)) + valid(),
    [400, 201],
  ],
  'a second request after 6 MB of chunks': [
    post(['Transfer-Encoding: chunked'], chunked('x'.repeat(6e6))) + valid(),
    [400, 201],
  ],
  'a second request after a body that is not decompressed': [
    post([`Content-Length: ${3e6}`, 'Content-Encoding: gzip'], 'x'.repeat(3e6)) + valid(),
    [400, 201],
  ],
  'a second request after one without a key': [valid().replace(AUTH, 'X-No: key') + valid(), [401, 201]],
  'empty lines before a request': [`\r\n\r\n\r\n${valid()}`, [201]],
  'bytes after the end of a request': [`${valid()}garbage\r\n\r\n`, [201, 400]],
  'a GET with a body': [get('/health/live', `Content-Length: ${SMUGGLED.length}`) + SMUGGLED, [200]],

  // Lines of a request.
  'no HTTP at all': ['hello, is anyone there?\r\n\r\n', [400]],
  'the beginning of TLS': ['\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003', [400]],
  'the preface of HTTP/2': ['PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', [400]],
  'a version that does not exist': [valid().replace('HTTP/1.1', 'HTTP/9.9'), [400]],
  'no version, as in HTTP/0.9': [valid().replace(' HTTP/1.1', ''), [201]],
  'HTTP/1.0': [valid().replace('HTTP/1.1', 'HTTP/1.0'), [201]],
  'HTTP/1.0 and no host': [valid().replace('HTTP/1.1', 'HTTP/1.0').replace(`${HOST}\r\n`, ''), [201]],
  'no host': [valid().replace(`${HOST}\r\n`, ''), [400]],
  'a host that is none': [valid().replace(HOST, 'Host: a b/c?d@e'), [201]],
  'two hosts': [valid('Host: other'), [201]],
  'a method that does not exist': [valid().replace('POST', 'POKE'), [400]],
  'a method in lower case': [valid().replace('POST', 'post'), [400]],
  TRACE: [get('/v1/events').replace('GET', 'TRACE'), [404]],
  CONNECT: [get('example.com:443').replace('GET', 'CONNECT'), 'closed'],
  'OPTIONS *': [get('*').replace('GET', 'OPTIONS'), [404]],
  'an absolute target': [valid().replace('/v1/events', 'http://other.example/v1/events'), [201]],
  'a target that is empty': ['GET  HTTP/1.1\r\nHost: localhost\r\n\r\n', [400]],
  'a target with a space': [get('/v1/eve nts'), [400]],
  'a target of 15,000 characters': [get(`/v1/${'x'.repeat(15_000)}`), [404]],
  'a target of 100,000 characters': [get(`/v1/${'x'.repeat(100_000)}`), [400]],
  'a target with bytes above 127': [get('/v1/caf\u00e9'), [400]],
  'a target with a control character': [get('/v1/\u0001'), [400]],

  // Headers.
  '20 KB of one header': [valid(`X-Long: ${'x'.repeat(20_000)}`), [400]],
  '1,000,000 bytes of headers': [valid(...numbered(50_000, (i) => `X-${i}: ${i}`)), [400]],
  '900 headers': [valid(...numbered(900, (i) => `X-${i}: ${i}`)), [201]],
  'a header 500 times': [valid(...numbered(500, () => 'X-Same: 1')), [201]],
  'two keys': [valid('Authorization: Bearer other'), [201]],
  'headers named like what objects inherit': [valid('__proto__: 1', 'constructor: 2', 'toString: 3'), [201]],
  'an expectation that nobody knows': [valid('Expect: the unexpected'), [201]],
  'an expectation to continue': [valid('Expect: 100-continue'), [201]],
  'an upgrade to WebSocket': [
    get(
      '/v1/nothing',
      'Connection: Upgrade',
      'Upgrade: websocket',
      'Sec-WebSocket-Version: 13',
      'Sec-WebSocket-Key: x',
    ),
    [404],
  ],
  'an upgrade to HTTP/2': [
    valid('Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: AAMAAABk'),
    [201],
  ],
  'a Connection header that names others': [valid('Connection: close, Authorization, Content-Length'), [201]],
  'a forwarded address that is none': [
    valid("X-Forwarded-For: ' or 1=1 --, ::, 999.999.999.999", 'Forwarded: for=x'),
    [201],
  ],
  'a forwarded host and protocol': [valid('X-Forwarded-Host: evil.example', 'X-Forwarded-Proto: javascript'), [201]],
  'another method in a header': [valid('X-HTTP-Method-Override: DELETE', 'X-HTTP-Method: PUT'), [201]],
  'another path in a header': [valid('X-Original-URL: /health/ready', 'X-Rewrite-URL: /health/ready'), [201]],
};
