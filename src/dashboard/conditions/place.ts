import { createContext } from 'react';

/** Where conditions are edited. */
interface Place {
  /** Whether events of public keys count where the definition leaves that open. */
  takesClientEvents: boolean;
  /** Whether there is a trigger, since which events can be looked for. */
  hasTrigger: boolean;
  /** That of the events that a new condition looks for. */
  eventType: string;
}

export const Place = createContext<Place>({ takesClientEvents: false, hasTrigger: false, eventType: '' });
