import { DurationInput } from '../components/duration-input.tsx';
import type { ListCondition, SegmentCondition } from '../definitions.ts';
import { AudienceSelect } from './audience-select.tsx';
import { Choice, type Fields, INLINE } from './choice.tsx';
import { WindowFields } from './window-fields.tsx';

type Since = 'ever' | 'joined' | 'for';

const SINCE: Readonly<Record<Since, string>> = {
  ever: 'since whenever',
  joined: 'and joined',
  for: 'for at least',
};

/** A list or a segment, and since when somebody must be in it. */
export function MembershipFields({
  value: leaf,
  label,
  onChange,
  isTimed,
}: Fields<ListCondition | SegmentCondition> & {
  /** Whether it is looked at as time passes. */
  isTimed: boolean;
}) {
  const { joined, for: length } = leaf;
  const since: Since = joined ? 'joined' : length === undefined ? 'ever' : 'for';
  const [kind, id] = 'list' in leaf ? (['list', leaf.list] as const) : (['segment', leaf.segment] as const);
  const of = (chosen: string) => (kind === 'list' ? { list: chosen } : { segment: chosen });
  const when = { ...(joined && { joined }), ...(length !== undefined && { for: length }) };
  return (
    <>
      <AudienceSelect
        kind={kind}
        aria-label={`${label}: ${kind}`}
        {...INLINE}
        required
        value={id}
        onChange={(chosen) => onChange({ ...of(chosen), ...when })}
      />
      {(isTimed || since !== 'ever') && (
        <Choice
          label={`${label}: since when`}
          words={SINCE}
          w={130}
          value={since}
          onChange={(to) => {
            if (to === 'ever') onChange(of(id));
            else onChange({ ...of(id), ...(to === 'for' ? { for: 'P30D' } : { joined: { last: 'P30D' } }) });
          }}
        />
      )}
      {joined && (
        <WindowFields label={label} value={joined} onChange={(window) => onChange({ ...of(id), joined: window })} />
      )}
      {length !== undefined && (
        <DurationInput
          isInline
          label={`${label}: for how long`}
          value={length}
          onChange={(to) => onChange({ ...of(id), for: to })}
        />
      )}
    </>
  );
}
