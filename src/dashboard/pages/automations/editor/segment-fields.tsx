import { Checkbox } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useClient } from '../../../api/client.tsx';
import { count } from '../../../components/numbers.ts';
import { withOptional } from '../../../components/with-optional.ts';
import { AudienceSelect } from '../../../conditions/audience-select.tsx';
import type { AutomationTrigger } from '../../../definitions.ts';

type SegmentTrigger = Extract<AutomationTrigger, { segment: string }>;

/** The segment whose changes start runs, and whether those who are in it already start too. */
export function SegmentFields({
  value,
  onChange,
}: {
  value: SegmentTrigger;
  onChange: (trigger: SegmentTrigger) => void;
}) {
  return (
    <>
      <AudienceSelect
        label="Segment"
        kind="segment"
        value={value.segment}
        onChange={(segment) => onChange({ ...value, segment })}
      />
      {value.type === 'segment_entry' && (
        <Members
          segmentId={value.segment}
          isIncluded={value.include_members ?? false}
          onChange={(isIncluded) => onChange(withOptional(value, 'include_members', isIncluded || undefined))}
        />
      )}
    </>
  );
}

function Members({
  segmentId,
  isIncluded,
  onChange,
}: {
  segmentId: string;
  isIncluded: boolean;
  onChange: (isIncluded: boolean) => void;
}) {
  const client = useClient();
  const { data } = useQuery({
    queryKey: ['getSegment', segmentId],
    queryFn: ({ signal }) => client.getSegment({ id: segmentId }, { signal }),
    enabled: segmentId !== '',
  });
  const members = data?.member_count ?? undefined;
  const who =
    members === undefined
      ? 'the customers who are'
      : members === 1
        ? 'the one who is'
        : `the ${count(members)} who are`;
  return (
    <Checkbox
      label={`Start also for ${who} in it when this is published`}
      checked={isIncluded}
      onChange={({ currentTarget }) => onChange(currentTarget.checked)}
    />
  );
}
