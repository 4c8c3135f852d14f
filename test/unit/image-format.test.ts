import { expect } from 'chai';
import { formatOf } from '../../src/domain/images/image-format.ts';
import { DOT, pngOf } from '../support/images.ts';

const bytes = (...parts: (string | number[])[]) =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.from(part))));

const JPEG = bytes(
  [0xff, 0xd8],
  // A comment that looks like a frame, a table, one with a number between those of frames, and what fills up.
  [0xff, 0xfe, 0, 6, 0xff, 0xc0, 1, 1],
  [0xff, 0xdb, 0, 3, 1],
  [0xff, 0xc4, 0, 4, 9, 9],
  [0xff, 0xff, 0xff, 0xc2, 0, 17, 8, 0x01, 0x02, 0x03, 0x04, 3],
);
const webp = (kind: string, ...rest: number[]) => bytes('RIFF', [0, 0, 0, 0], 'WEBP', kind, [0, 0, 0, 0], rest);

describe('The format of an image', () => {
  const known: [what: string, image: Buffer, type: string, width: number, height: number][] = [
    ['PNG', pngOf(640, 480), 'image/png', 640, 480],
    ['GIF', DOT, 'image/gif', 1, 1],
    ['GIF of 1987', bytes('GIF87a', [0x40, 0x01, 0xc8, 0x00]), 'image/gif', 320, 200],
    ['progressive JPEG', JPEG, 'image/jpeg', 0x0304, 0x0102],
    ['lossy WebP', webp('VP8 ', 0, 0, 0, 0x9d, 1, 0x2a, 0x40, 0xc1, 0xc8, 0), 'image/webp', 0x140, 200],
    ['lossless WebP', webp('VP8L', 0x2f, 0x3f, 0xc1, 0x31, 0), 'image/webp', 0x140, 200],
    ['extended WebP', webp('VP8X', 0, 0, 0, 0, 0x3f, 1, 0, 0xc7, 0, 0), 'image/webp', 320, 200],
  ];
  for (const [what, image, type, width, height] of known) {
    it(`is read of a ${what}`, () => {
      expect(formatOf(image)).to.deep.equal({ type, width, height });
    });

    it(`is that of a ${what} alone which has a whole header`, () => {
      for (let length = 0; length < image.length; length++) {
        const format = formatOf(image.subarray(0, length));
        if (format) expect(format).to.deep.equal({ type, width, height });
      }
      expect(formatOf(image.subarray(0, 8))).to.equal(undefined);
    });
  }

  const unknown: Record<string, Buffer> = {
    nothing: Buffer.alloc(0),
    SVG: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>'),
    'an XML declaration': Buffer.from('<?xml version="1.0"?><svg/>'),
    HTML: Buffer.from('<!doctype html><script>alert(1)</script>'),
    BMP: bytes('BM', Array(60).fill(0)),
    ICO: bytes([0, 0, 1, 0, 1, 0], Array(60).fill(1)),
    'a JPEG without a frame': bytes([0xff, 0xd8, 0xff, 0xdb, 0, 2, 0xff, 0xda, 0, 2, 1, 2, 3]),
    'a WebP of no kind': webp('VP8Q', ...Array(20).fill(0)),
    'another RIFF': bytes('RIFF', [0, 0, 0, 0], 'WAVE', Array(40).fill(0)),
    'a PNG that begins otherwise': bytes('\x89PNG\r\n\x1a\n', Array(40).fill(0)),
  };
  for (const [what, image] of Object.entries(unknown)) {
    it(`is not that of ${what}`, () => {
      expect(formatOf(image)).to.equal(undefined);
    });
  }
});
