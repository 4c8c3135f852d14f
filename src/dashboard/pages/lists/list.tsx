import { Button, DataList, Group } from '@mantine/core';
import { useState } from 'react';
import { Link, useParams } from 'react-router';
import type { List as ListData } from '../../../client/index.ts';
import { useOperation } from '../../api/operations.ts';
import { Item } from '../../components/item.tsx';
import { count } from '../../components/numbers.ts';
import { PageOfOne } from '../../components/page-of-one.tsx';
import { Section } from '../../components/section.tsx';
import { Time } from '../../components/time.tsx';
import { useAllows } from '../../session/current-caller.tsx';
import { CampaignTo } from '../campaigns/campaign-to.tsx';
import { ChangeMembers } from './change-members.tsx';
import { DeleteList } from './delete-list.tsx';
import { Members } from './members.tsx';
import { SaveList } from './save-list.tsx';

/** One list, and who is in it. */
export function List() {
  const { listId = '' } = useParams();
  const query = useOperation('getList', { id: listId });
  return (
    <PageOfOne
      query={query}
      kind="List"
      all="All lists"
      to="/lists"
      title={query.data?.name}
      actions={query.data && <ListActions list={query.data} />}
    >
      {(list) => (
        <>
          <Section title="About the list">
            <DataList>
              <Item label="Members">{count(list.member_count)}</Item>
              <Item label="Id">{list.id}</Item>
              {list.source_id !== null && <Item label="Id in another system">{list.source_id}</Item>}
              <Item label="Preferences">
                {list.topic ? `Customers choose “${list.public_name ?? list.name}” by themselves` : 'Not among them'}
              </Item>
              <Item label="Opt-in">
                {list.opt_in === 'double'
                  ? 'Double: those who subscribe confirm it by a message'
                  : 'Single: those who subscribe join at once'}
              </Item>
              <Item label="Created">
                <Time value={list.created_at} />
              </Item>
            </DataList>
          </Section>
          <Members list={list} />
        </>
      )}
    </PageOfOne>
  );
}

function ListActions({ list }: { list: ListData }) {
  const [asked, setAsked] = useState<'members' | 'change' | 'delete'>();
  const close = () => setAsked(undefined);
  const mayImport = useAllows('profiles:write');
  const campaign = <CampaignTo to={{ list: list.id }} />;
  if (!useAllows('audiences:write')) return campaign;
  return (
    <Group gap="xs">
      <Button onClick={() => setAsked('members')}>Add or remove customers</Button>
      {campaign}
      {mayImport && (
        <Button component={Link} to={`/imports/new?list=${list.id}`} variant="default">
          Import CSV
        </Button>
      )}
      <Button variant="default" onClick={() => setAsked('change')}>
        Change
      </Button>
      <Button variant="default" c="red" onClick={() => setAsked('delete')}>
        Delete
      </Button>
      {asked === 'members' && <ChangeMembers list={list} onClose={close} />}
      {asked === 'change' && <SaveList list={list} onClose={close} />}
      {asked === 'delete' && <DeleteList list={list} onClose={close} />}
    </Group>
  );
}
