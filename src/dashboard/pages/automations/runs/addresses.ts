/** Of an address of an automation that leads to its runs. */
export const RUNS = '#runs';
/** The same, to those that have failed. */
export const FAILED_RUNS = `?status=failed${RUNS}`;
