import { Code, DataList } from '@mantine/core';
import { useState } from 'react';
import { useParams } from 'react-router';
import { useOperation } from '../../api/operations.ts';
import { Json } from '../../components/copyable-code.tsx';
import { Item } from '../../components/item.tsx';
import { Page } from '../../components/page.tsx';
import { Section } from '../../components/section.tsx';
import { Loaded } from '../../components/states.tsx';
import { Time } from '../../components/time.tsx';
import { CustomerLink } from '../profiles/customer-link.tsx';
import { MergeChanges } from './merge-changes.tsx';
import { State } from './state.tsx';
import { TableCounts } from './table-counts.tsx';
import { isOver, LOOK_MS } from './words.ts';

/** How far a merge is, what it has changed, and for 30 days what both were before. */
export function Merge() {
  const { mergeId = '' } = useParams();
  const [isDone, setIsDone] = useState(false);
  const query = useOperation('getMerge', { id: mergeId }, isDone ? {} : { refetchInterval: LOOK_MS });
  if (query.data && isOver(query.data) && !isDone) setIsDone(true);
  return (
    <Page title="Merge" description="Two profiles that are one customer.">
      <Loaded query={query}>
        {(merge) => (
          <>
            <Section title="State" actions={<State isOver={isOver(merge)} doing="Moving" />}>
              <DataList>
                <Item label="The customer">
                  <CustomerLink id={merge.profile_id} />
                </Item>
                <Item label="Merged into them">
                  <Code>{merge.from}</Code>
                </Item>
                <Item label="One since">
                  <Time value={merge.created_at} />
                </Item>
                <Item label="Everything moved">
                  {merge.completed_at ? <Time value={merge.completed_at} /> : 'not yet'}
                </Item>
              </DataList>
            </Section>
            <Section title="What has changed">
              <MergeChanges changes={merge.changes} />
            </Section>
            <Section title="Moved in the background">
              <TableCounts label="Moved" tables={merge.tables} />
            </Section>
            {merge.before && (
              <Section title="What both were before">
                <Json value={merge.before} label="Both profiles before" />
              </Section>
            )}
          </>
        )}
      </Loaded>
    </Page>
  );
}
