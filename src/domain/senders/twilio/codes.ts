/** What an error of Twilio is about. */
export type TwilioFault = 'number' | 'opted_out' | 'sender' | 'pace' | 'message';

/** Its codes, of answers and of status callbacks; what is not among them is about the message, or may pass. */
const CODES: Readonly<Record<TwilioFault, readonly number[]>> = {
  /** Nobody can be reached by it: not a number, not one of a mobile phone, unknown to the carrier. */
  number: [21211, 21217, 21614, 30005],
  opted_out: [21610],
  /** The account, its key, or what messages come from. */
  sender: [
    ...[20003, 20005, 20006, 20008, 20404, 21212, 21603, 21606, 21607, 21659, 21660, 21661, 21701, 21703, 21704, 21705],
    ...[30002, 30007, 30023, 30032, 30034],
  ],
  /** Too much at a time. */
  pace: [14107, 20429, 21611, 30001, 30022, 30027],
  message: [21408, 21602, 21617, 21619, 21623],
};

/** Undefined for a code of which nothing is known. */
export function faultOfCode(code: number | null): TwilioFault | undefined {
  const entries = Object.entries(CODES) as [TwilioFault, readonly number[]][];
  return code === null ? undefined : entries.find(([, codes]) => codes.includes(code))?.[0];
}
