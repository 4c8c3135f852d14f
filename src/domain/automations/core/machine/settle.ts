import type { Reaction } from './effects.ts';
import { type Answers, answer, type Facts } from './facts.ts';
import type { Input } from './input.ts';
import { type Needs, react, type Surroundings } from './react.ts';
import type { State } from './run.ts';

/** Asks with more and more facts, until nothing is needed any more. */
export function askUntilKnown<Result>(ask: (facts: Facts) => Result | Needs, answers: Answers): Result {
  let facts: Facts = {};
  for (;;) {
    const result = ask(facts);
    if (!isNeeds(result)) return result;
    facts = answer(facts, result.needs, answers);
  }
}

/** Reacts where every answer is at hand; a caller that has to read them asks for those of many customers at once. */
export function settle(state: State, input: Input, surroundings: Surroundings, answers: Answers): Reaction {
  return askUntilKnown<Reaction>((facts) => react(state, input, { ...surroundings, facts }), answers);
}

function isNeeds(result: unknown): result is Needs {
  return typeof result === 'object' && result !== null && 'needs' in result;
}
