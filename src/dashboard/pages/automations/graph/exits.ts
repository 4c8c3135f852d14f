import type { NextStep } from '../../../../client/index.ts';
import { durationWords } from '../../../components/durations.ts';
import { clause } from '../../../conditions/sentence.ts';
import type { AutomationStep, WaitStep } from '../../../definitions.ts';
import { matchWords } from '../words/trigger.ts';

/** A way out of a step. */
export interface Exit {
  /** When a run takes it; empty where it is the only one. */
  label: string;
  next: NextStep;
}

/** The ways out of a step, the usual one last. */
export function exitsOf(step: AutomationStep): Exit[] {
  switch (step.type) {
    case 'exit':
      return [];
    case 'branch':
      return [
        ...step.cases.map(({ when, next }) => ({ label: `If ${clause(when)}`, next })),
        { label: 'Otherwise', next: step.else },
      ];
    case 'wait':
      return [
        ...step.for.map((one) => ({
          label: waitWords(one),
          next: one.next,
        })),
        { label: `After ${durationWords(step.timeout)}`, next: step.on_timeout },
      ];
    case 'split':
      return step.weights.map(({ percent, next }) => ({ label: `${percent} %`, next }));
    case 'delay':
      return [
        ...(step.until_date?.if_past === 'skip'
          ? [{ label: 'If that is past', next: step.until_date.on_past ?? null }]
          : []),
        { label: '', next: step.next },
      ];
    default:
      return [{ label: '', next: step.next }];
  }
}

function waitWords(one: WaitStep['for'][number]): string {
  if ('when' in one) return `As soon as ${clause(one.when)}`;
  if (!('catalog' in one)) return `On ${matchWords(one)}`;
  const { from } = one.item ?? {};
  const item = `the item${from === undefined ? '' : ` ${typeof from === 'string' ? from : from.join('.')}`}`;
  if (one.catalog === 'back_in_stock') return `As soon as ${item} can be bought`;
  return `As soon as ${item} costs less than ${one.below ?? '…'} ${one.currency ?? ''}`.trimEnd();
}

/** The step with another way out, by its place in `exitsOf`. */
export function withExit(step: AutomationStep, index: number, next: NextStep): AutomationStep {
  const replaced = <Item extends object>(items: readonly Item[]): Item[] =>
    items.map((item, n) => (n === index ? { ...item, next } : item));
  switch (step.type) {
    case 'exit':
      return step;
    case 'branch':
      return index < step.cases.length ? { ...step, cases: replaced(step.cases) } : { ...step, else: next };
    case 'wait':
      return index < step.for.length ? { ...step, for: replaced(step.for) } : { ...step, on_timeout: next };
    case 'split':
      return { ...step, weights: replaced(step.weights) };
    case 'delay':
      return step.until_date?.if_past === 'skip' && index === 0
        ? { ...step, until_date: { ...step.until_date, on_past: next } }
        : { ...step, next };
    default:
      return { ...step, next };
  }
}
