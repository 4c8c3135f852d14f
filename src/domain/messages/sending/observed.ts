import type { MessageStatus } from '../message.ts';

/** What has become of messages, for the metrics. */
export type Observe = (outcomes: readonly { status: MessageStatus }[]) => void;
