/** An e-mail address or a telephone number in the form in which it is matched. */
export interface Canonical {
  value: string;
  /** Absent where the form is the only spelling there is. */
  spellings?: Spellings | undefined;
}

/** How else a customer's identifier can be written. */
export interface Spellings {
  /** As it is shown. */
  shown: string;
  /** All by which its owner is found from now on, the canonical form first. */
  owned: readonly string[];
  /**
   * All under which an owner may be stored, by precedence. What was sent comes first: a version before has stored it as
   * it was, and may have stored two spellings as two customers, each of whom is still found by their own.
   */
  lookedUp: readonly string[];
}

/** Returns the canonical value, with its spellings if there is another one. */
export function canonical(value: string, spellings: Spellings): Canonical {
  const { shown, owned, lookedUp } = spellings;
  const isOnly = [shown, ...owned, ...lookedUp].every((one) => one === value);
  return isOnly ? { value } : { value, spellings: { shown, owned: unique(owned), lookedUp: unique(lookedUp) } };
}

function unique(values: readonly string[]): string[] {
  return [...new Set(values)];
}
