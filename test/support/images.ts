/** A GIF of one transparent pixel. */
export const DOT = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');

/** The beginning of a PNG with a size, and as many bytes in all as are asked for. */
export function pngOf(width: number, height: number, bytes = 33): Buffer {
  const header = Buffer.alloc(Math.max(33, bytes));
  header.write('\x89PNG\r\n\x1a\n\x00\x00\x00\x0dIHDR', 'latin1');
  header.writeUInt32BE(width, 16);
  header.writeUInt32BE(height, 20);
  return header;
}
