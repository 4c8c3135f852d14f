export type * from '../../generated/native/types.gen.ts';
export { type Arguments, type CallOptions, type Client, createClient, type Options, type Result } from './client.ts';
export { type ErrorCode, FootfallError } from './error.ts';
export { fromKlaviyoItem, fromKlaviyoVariant, type KlaviyoItem, type KlaviyoOptions } from './from-klaviyo.ts';
export { pages } from './pages.ts';
export type { StreamMessage } from './stream.ts';
