import type { WhyNotSent } from '../../../client/index.ts';

/** Why a message was not sent, and what can be done. */
export const whyNotWords = ({ explanation, advice }: WhyNotSent): string =>
  advice === null ? explanation : `${explanation} ${advice}`;
