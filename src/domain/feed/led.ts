/** How many automations led to something, one after the other, and what these began with. */
export interface Led {
  depth: number;
  /** Null if a process of the version before has not said it. */
  chain: string | null;
}
