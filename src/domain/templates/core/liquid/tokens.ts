import type { Token, Tokenizer, TopLevelToken } from 'liquidjs';

export type OutputToken = ReturnType<Tokenizer['readOutputToken']>;
export type TagToken = ReturnType<Tokenizer['readTagToken']>;
export type { Token, TopLevelToken };
