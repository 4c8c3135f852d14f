/**
 * Frees the memory of bytes that nobody uses any more: megabytes of such would otherwise wait for the next collection,
 * and the process would grow by them. Does nothing if others may use a part of the same buffer.
 */
export function freeNow({ buffer, byteLength }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
}
