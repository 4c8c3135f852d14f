import type { MessageStatus } from '../core/message.ts';

/** What has become of messages, for the metrics. */
export type Outcomes = readonly { status: MessageStatus }[];
export type Observe = (outcomes: Outcomes) => void;
