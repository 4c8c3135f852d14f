/** Does some work, and reports on it: `what` is done, and how far it is. */
export type ReportProgress = <T>(what: string, work: () => Promise<T>, state?: () => string) => Promise<T>;

/** On stderr, while it lasts: on a terminal in one line that changes, else in a line now and then. */
export const withProgress: ReportProgress;
