/** Adds decimal numbers up as they are written, as prices are: 0.1 and 0.2 are 0.3. */
export class ExactSum {
  #units = 0n;
  /** How many of the digits of `#units` are behind the point. */
  #places = 0;
  /** Infinite once a number that was added is. */
  #beyond = 0;

  add(number: number): void {
    if (!Number.isFinite(number)) {
      this.#beyond += number;
      return;
    }
    const [digits = '', exponent = '0'] = String(number).split('e');
    const [whole = '', fraction = ''] = digits.split('.');
    const places = fraction.length - Number(exponent);
    if (places > this.#places) {
      this.#units *= 10n ** BigInt(places - this.#places);
      this.#places = places;
    }
    this.#units += BigInt(`${whole}${fraction}`) * 10n ** BigInt(this.#places - places);
  }

  get value(): number {
    return this.#beyond || Number(`${this.#units}e-${this.#places}`);
  }
}
