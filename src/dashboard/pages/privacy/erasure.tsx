import { DataList, List, Text } from '@mantine/core';
import { useState } from 'react';
import { useParams } from 'react-router';
import { useOperation } from '../../api/operations.ts';
import { Json } from '../../components/copyable-code.tsx';
import { Item } from '../../components/item.tsx';
import { count } from '../../components/numbers.ts';
import { Page } from '../../components/page.tsx';
import { Section } from '../../components/section.tsx';
import { Loaded } from '../../components/states.tsx';
import { Time } from '../../components/time.tsx';
import { State } from './state.tsx';
import { TableCounts } from './table-counts.tsx';
import { eventsWords, isOver, LOOK_MS, suppressionWords } from './words.ts';

/** How far an erasure is, and what it proves: of the customer it says nothing. */
export function Erasure() {
  const { erasureId = '' } = useParams();
  const [isDone, setIsDone] = useState(false);
  const query = useOperation('getErasure', { id: erasureId }, isDone ? {} : { refetchInterval: LOOK_MS });
  if (query.data && isOver(query.data) && !isDone) setIsDone(true);
  return (
    <Page title="Erasure" description="What was deleted or emptied; it says nothing of the customer.">
      <Loaded query={query}>
        {(erasure) => (
          <>
            <Section title="State" actions={<State isOver={isOver(erasure)} doing="Erasing" />}>
              <DataList>
                <Item label="The customer was gone">
                  <Time value={erasure.created_at} />
                </Item>
                <Item label="Nothing was found any more">
                  {erasure.completed_at ? <Time value={erasure.completed_at} /> : 'not yet'}
                </Item>
                <Item label="All tables gone through">
                  {count(erasure.pass_count)} {erasure.pass_count === 1 ? 'time' : 'times'}
                </Item>
                <Item label="Known to the store">{erasure.profile_found ? 'yes' : 'no, there was nobody'}</Item>
                <Item label="Identifiers">{count(erasure.identifier_count)}</Item>
                <Item label="Events">{eventsWords(erasure.events)}</Item>
                <Item label="Refused to be created again">{suppressionWords(erasure.suppress_days)}</Item>
                <Item label="Asked for by">
                  {erasure.requested_by ? `the API key …${erasure.requested_by.slice(-8)}` : 'the operator’s command'}
                </Item>
              </DataList>
            </Section>
            <Section title="Deleted or emptied">
              <TableCounts label="Deleted or emptied" tables={erasure.tables} />
            </Section>
            {erasure.residues.length > 0 && (
              <Section title="What expires by itself">
                <Text size="sm">Bare ids, which lead to nobody any more, and lines of imports that failed.</Text>
                <List size="sm">
                  {erasure.residues.map(({ table, until }) => (
                    <List.Item key={table}>
                      {table.replaceAll('_', ' ')}: gone by <Time value={until} />
                    </List.Item>
                  ))}
                </List>
              </Section>
            )}
            <Section title="The proof, to be kept">
              <Json value={erasure} label="The erasure as JSON" />
            </Section>
          </>
        )}
      </Loaded>
    </Page>
  );
}
