/** Returns millionths as a decimal number. */
export function decimalOf(millionths: bigint): string {
  if (millionths < 0n) return `-${decimalOf(-millionths)}`;
  const digits = String(millionths).padStart(7, '0');
  const fraction = digits.slice(-6).replace(/0+$/, '');
  return digits.slice(0, -6) + (fraction && `.${fraction}`);
}
