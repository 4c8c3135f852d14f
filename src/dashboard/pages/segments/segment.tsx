import { Button, DataList, Group } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useParams } from 'react-router';
import type { Segment as SegmentData } from '../../../client/index.ts';
import { useClient } from '../../api/client.tsx';
import { useOperation } from '../../api/operations.ts';
import { Json } from '../../components/copyable-code.tsx';
import { Item } from '../../components/item.tsx';
import { count } from '../../components/numbers.ts';
import { PageOfOne } from '../../components/page-of-one.tsx';
import { Section } from '../../components/section.tsx';
import { Empty, Failure } from '../../components/states.tsx';
import { Time } from '../../components/time.tsx';
import { sentence } from '../../conditions/sentence.ts';
import { useNames } from '../../conditions/use-names.ts';
import { known } from '../../definitions.ts';
import { useAllows } from '../../session/current-caller.tsx';
import { CampaignTo } from '../campaigns/campaign-to.tsx';
import { DeleteSegment } from './delete-segment.tsx';
import { SegmentChanges } from './segment-changes.tsx';
import { SegmentMembers } from './segment-members.tsx';
import { SegmentTrend } from './segment-trend.tsx';
import { SegmentStatus } from './status.tsx';
import { segmentPath, useRefreshSegments } from './use-segments.ts';

/** Milliseconds. */
const REFRESH_MS = 5_000;

/** One segment: what it asks, who is in it, and who entered and left. */
export function Segment() {
  const { segmentId = '' } = useParams();
  const query = useOperation('getSegment', { id: segmentId }, { refetchInterval: REFRESH_MS });
  const { data } = query;
  return (
    <PageOfOne
      query={query}
      kind="Segment"
      all="All segments"
      to="/segments"
      title={data?.name}
      actions={data && <SegmentActions segment={data} />}
    >
      {(segment) => (
        <>
          <About segment={segment} />
          <SegmentTrend segmentId={segment.id} />
          {segment.member_count === null ? (
            <Section title="Members">
              <Empty title="They are being worked out" description="This page shows them once that is done." />
            </Section>
          ) : (
            <SegmentMembers segment={segment} />
          )}
          <SegmentChanges segmentId={segment.id} />
        </>
      )}
    </PageOfOne>
  );
}

function About({ segment }: { segment: SegmentData }) {
  const names = useNames();
  const { member_count: members, computed_through: through, definition } = segment;
  return (
    <Section title="About the segment">
      <DataList>
        <Item label="Everyone">{sentence(known(definition), names)}</Item>
        <Item label="Status">
          <SegmentStatus segment={segment} />
        </Item>
        <Item label="Members">{members === null ? 'Not known yet' : count(members)}</Item>
        {through !== null && (
          <Item label="Up to date as of">
            <Time value={through} />
          </Item>
        )}
      </DataList>
      <Json value={definition} label="Definition" />
    </Section>
  );
}

function SegmentActions({ segment: { id, name } }: { segment: SegmentData }) {
  const client = useClient();
  const refresh = useRefreshSegments();
  const [isDeleting, setDeleting] = useState(false);
  const rebuild = useMutation({ mutationFn: () => client.rebuildSegment({ id }), onSettled: refresh });
  const campaign = <CampaignTo to={{ segment: id }} />;
  if (!useAllows('audiences:write')) return campaign;
  return (
    <Group gap="xs">
      <Button component={Link} to={`${segmentPath(id)}/edit`}>
        Change
      </Button>
      {campaign}
      <Button variant="default" loading={rebuild.isPending} onClick={() => rebuild.mutate()}>
        Build anew
      </Button>
      <Button variant="default" c="red" onClick={() => setDeleting(true)}>
        Delete
      </Button>
      {rebuild.error && <Failure error={rebuild.error} title="It is not being built" />}
      {isDeleting && <DeleteSegment id={id} name={name} onClose={() => setDeleting(false)} />}
    </Group>
  );
}
