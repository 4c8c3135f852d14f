import { brotliCompressSync, constants, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';

/** What surrounds a body. */
export interface Envelope {
  headers?: Record<string, string>;
  /** The bytes that are sent for a body that would be valid. */
  bytes(valid: string): Buffer | string | undefined;
}

const JSON_TYPE = 'application/json';
const same = (valid: string) => valid;
const typed = (type: string): Envelope => ({ headers: { 'Content-Type': type }, bytes: same });
const encoded = (encoding: string, bytes: Envelope['bytes']): Envelope => ({
  headers: { 'Content-Encoding': encoding },
  bytes,
});
/** The body with bytes of one's own in the place of its first text. */
const withBytes = (...bytes: number[]): Envelope => ({
  bytes: (valid) => {
    const at = valid.indexOf(':"') + 2;
    return Buffer.concat([Buffer.from(valid.slice(0, at)), Buffer.from(bytes), Buffer.from(valid.slice(at))]);
  },
});
const utf16be = (text: string) => Buffer.from(text, 'utf16le').swap16();
// Made once: that takes longer than to defuse them.
const SPACES = Buffer.alloc(50_000_000, ' ');
const GZIP_BOMB = gzipSync(SPACES, { level: 1 });
const NESTED_BOMB = gzipSync(GZIP_BOMB);
const BROTLI_BOMB = brotliCompressSync(SPACES, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } });

/** Bodies that no operation accepts. */
export const REFUSED: Record<string, Envelope> = {
  // Encodings.
  'no body': { bytes: () => undefined },
  'an empty body': { bytes: () => '' },
  'spaces alone': { bytes: () => '   \r\n\t' },
  'a byte that UTF-8 does not have': withBytes(0xff),
  'a continuation alone': withBytes(0x80),
  'a character that is cut off': { bytes: (valid) => Buffer.concat([Buffer.from(valid), Buffer.from([0xe2, 0x82])]) },
  'an overlong slash': withBytes(0xc0, 0xaf),
  'an overlong NUL': withBytes(0xc0, 0x80),
  'a surrogate in UTF-8': withBytes(0xed, 0xa0, 0x80),
  'a character beyond Unicode': withBytes(0xf4, 0x90, 0x80, 0x80),
  'Latin-1': withBytes(0xe9),
  'a NUL byte': withBytes(0),
  'UTF-16, little end first': { bytes: (valid) => Buffer.from(`\ufeff${valid}`, 'utf16le') },
  'UTF-16, big end first': { bytes: (valid) => utf16be(`\ufeff${valid}`) },
  'UTF-16 that says so': {
    headers: { 'Content-Type': 'application/json; charset=utf-16' },
    bytes: (valid) => Buffer.from(valid, 'utf16le'),
  },
  // Documents that are none.
  'two documents': { bytes: (valid) => `${valid}${valid}` },
  'lines of documents': { bytes: (valid) => `${valid}\n${valid}\n` },
  'a list of it': { bytes: (valid) => `[${valid}]` },
  'it as a text': { bytes: (valid) => JSON.stringify(valid) },
  'its first half': { bytes: (valid) => valid.slice(0, valid.length / 2) },
  'a form': { bytes: () => 'event_type=x&profile[email]=a@example.com' },
  XML: { bytes: () => '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><x>&e;</x>' },
  YAML: { bytes: () => 'event_type: &a [*a, *a]' },
  'a million brackets': { bytes: () => '['.repeat(1_000_000) },
  'a million quotes': { bytes: () => '"'.repeat(1_000_000) },
  'a million backslashes': { bytes: () => `"${'\\'.repeat(1_000_000)}` },
  'a number of a million digits': { bytes: () => '9'.repeat(1_000_000) },
  'a million minus signs': { bytes: () => '-'.repeat(1_000_000) },
  '100,000 names alike': { bytes: () => `{${'"a":1,'.repeat(100_000)}"b":1}` },
  '100,000 names of a hash table': {
    bytes: () => `{${Array.from({ length: 100_000 }, (_, i) => `"${i * 4_294_967_296}":1`)}}`,
  },
  // Media types.
  'text/plain': typed('text/plain'),
  'a form, it says': typed('application/x-www-form-urlencoded'),
  'a multipart form, it says': typed('multipart/form-data; boundary=x'),
  'XML, it says': typed('application/xml'),
  'a type that begins alike': typed('application/jsonp'),
  'a type with an ending of its own': typed('application/problem+json'),
  'two types': typed('text/plain, application/json'),
  'no type at all': typed('json'),
  'an empty type': typed(''),
  'a type of 5,000 characters': typed(`application/${'x'.repeat(5_000)}`),
  // Compression.
  'gzip that is none': encoded('gzip', same),
  'gzip that is cut off': encoded('gzip', (valid) => gzipSync(valid).subarray(0, -12)),
  'gzip with a wrong checksum': encoded('gzip', (valid) => {
    const bytes = gzipSync(valid);
    bytes[bytes.length - 5] = (bytes.at(-5) as number) ^ 0xff;
    return bytes;
  }),
  'gzip of nothing': encoded('gzip', () => gzipSync('')),
  'a gzip bomb': encoded('gzip', () => GZIP_BOMB),
  'a bomb in a bomb': encoded('gzip', () => NESTED_BOMB),
  'a brotli bomb': encoded('br', () => BROTLI_BOMB),
  'brotli that is none': encoded('br', same),
  'deflate that is none': encoded('deflate', same),
  'deflate without its frame': encoded('deflate', (valid) => deflateRawSync(valid)),
  'gzip that says it is brotli': encoded('br', (valid) => gzipSync(valid)),
  'gzip that does not say so': { bytes: (valid) => gzipSync(valid) },
  'gzip twice': encoded('gzip, gzip', (valid) => gzipSync(gzipSync(valid))),
  'an encoding that nobody knows': encoded('zstd, x', same),
  'an encoding named like what objects inherit': encoded('constructor', same),
};

/** Bodies that every operation accepts as the one inside. */
export const ACCEPTED: Record<string, Envelope> = {
  'a mark of UTF-8 in front': { bytes: (valid) => `\ufeff${valid}` },
  'spaces around it': { bytes: (valid) => ` \r\n\t${valid}\n ` },
  'a charset': typed(`${JSON_TYPE}; charset=utf-8`),
  'a charset in quotes and capitals': typed('Application/JSON; Charset="UTF-8"'),
  'a parameter that nobody knows': typed(`${JSON_TYPE}; x=y; boundary=--`),
  gzip: encoded('gzip', (valid) => gzipSync(valid)),
  'GZIP in capitals': encoded('GZIP', (valid) => gzipSync(valid)),
  deflate: encoded('deflate', (valid) => deflateSync(valid)),
  brotli: encoded('br', (valid) => brotliCompressSync(valid)),
  'no compression, it says': encoded('identity', same),
};
