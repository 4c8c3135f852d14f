/** Of the items that a file is to have, and how many, are hidden without asking. */
const [MAX_SHARE, MAX_MISSING] = [0.3, 20];

/** Returns whether somebody has to confirm that so many of all items are hidden; `mayHide` have been confirmed. */
export function needsConfirmation({ missing, all }: { missing: number; all: number }, mayHide = 0): boolean {
  return missing > MAX_MISSING && missing > MAX_SHARE * all && missing > mayHide;
}
