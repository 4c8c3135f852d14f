import { Anchor, Group, Select, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { SearchIcon } from '@primer/octicons-react';
import { useState } from 'react';
import { Link } from 'react-router';
import type { Arguments, Profile } from '../../../client/index.ts';
import { useRows } from '../../api/operations.ts';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Page } from '../../components/page.tsx';
import { Section } from '../../components/section.tsx';
import { Empty, Loaded } from '../../components/states.tsx';
import { Time } from '../../components/time.tsx';
import { useFilters } from '../../use-filters.ts';
import { CustomersOfOrder } from './customers-of-order.tsx';
import { nameOf } from './name-of.ts';

/** What one can search by: the beginning of it, which is also the whole; of an order, the whole. The names are those of the API. */
const SEARCHES = {
  name_prefix: { label: 'Name', placeholder: 'Ada Lovelace, Lovelace, or the start of it', maxLength: 100 },
  email_prefix: { label: 'E-mail', placeholder: 'ada@example.com, or the start of it', maxLength: 254 },
  phone_prefix: { label: 'Phone', placeholder: '+49 151, …, or as it is dialled in your country', maxLength: 64 },
  external_id_prefix: { label: 'External id', placeholder: 'cust_1001, …', maxLength: 255 },
  order_id: { label: 'Order number', placeholder: 'ord_5001, …', maxLength: 255 },
} as const;
type Search = keyof typeof SEARCHES;
const NAMES = Object.keys(SEARCHES) as Search[];

/** Milliseconds after the last keystroke. */
const PAUSE_MS = 250;

const COLUMNS: readonly Column<Profile>[] = [
  {
    header: 'Customer',
    render: (profile) => (
      <Anchor component={Link} to={`/profiles/${profile.id}`} size="sm" fw={500}>
        {nameOf(profile)}
      </Anchor>
    ),
  },
  { header: 'E-mail', render: ({ identifiers }) => identifiers.email },
  { header: 'Phone', width: 150, render: ({ identifiers }) => identifiers.phone },
  { header: 'External id', fromWidth: 800, render: ({ identifiers }) => identifiers.external_id },
  { header: 'Last changed', width: 130, render: ({ updated_at }) => <Time value={updated_at} format="date" /> },
];

/** Looks a customer up. */
export function Profiles() {
  const [filters, change] = useFilters(NAMES);
  const by = NAMES.find((name) => filters[name] !== undefined);
  return (
    <Page title="Profiles" description="Your customers and what you know about them.">
      <SearchForm
        by={by ?? 'name_prefix'}
        text={by ? (filters[by] ?? '') : ''}
        onSearch={(name, text) =>
          change({ ...Object.fromEntries(NAMES.map((other) => [other, undefined])), [name]: text.trim() && text })
        }
      />
      {by === 'order_id' ? (
        <CustomersOfOrder orderId={filters.order_id ?? ''} />
      ) : (
        <Found filter={by ? { [by]: filters[by] } : {}} />
      )}
    </Page>
  );
}

function Found({ filter }: { filter: Arguments<'listProfiles'> }) {
  const query = useRows('listProfiles', filter, ({ profiles }) => profiles);
  return (
    <Section title="Customers">
      <Loaded query={query}>
        {(profiles) =>
          profiles.length > 0 ? (
            <DataTable
              label="Profiles"
              columns={COLUMNS}
              rows={profiles}
              rowKey={({ id }) => id}
              rowTo={({ id }) => `/profiles/${id}`}
              pages={query}
            />
          ) : (
            <Nobody isSearch={Object.keys(filter).length > 0} />
          )
        }
      </Loaded>
    </Section>
  );
}

/** What is typed is searched for after a pause. */
function SearchForm({
  by: given,
  text: searched,
  onSearch,
}: {
  by: Search;
  text: string;
  onSearch: (by: Search, text: string) => void;
}) {
  const [chosen, setChosen] = useState(given);
  const [text, setText] = useState(searched);
  const searchLater = useDebouncedCallback(onSearch, PAUSE_MS);
  const by = kindOf(chosen, text);

  return (
    <Group component="search" align="flex-end" gap="xs">
      <Select
        label="Search by"
        data={NAMES.map((value) => ({ value, label: SEARCHES[value].label }))}
        value={by}
        allowDeselect={false}
        onChange={(value) => {
          searchLater.cancel();
          setChosen(value as Search);
          onSearch(kindOf(value as Search, text), text);
        }}
      />
      <TextInput
        label="Search for"
        type="search"
        flex={1}
        miw={200}
        maw={420}
        leftSection={<SearchIcon />}
        placeholder={SEARCHES[by].placeholder}
        maxLength={SEARCHES[by].maxLength}
        value={text}
        onChange={({ currentTarget }) => {
          setText(currentTarget.value);
          searchLater(kindOf(chosen, currentTarget.value), currentTarget.value);
        }}
      />
    </Group>
  );
}

/** What is typed as a name and has an `@` is an address. */
function kindOf(chosen: Search, text: string): Search {
  return chosen === 'name_prefix' && text.includes('@') ? 'email_prefix' : chosen;
}

function Nobody({ isSearch }: { isSearch: boolean }) {
  return isSearch ? (
    <Empty
      title="No customers found"
      description="Enter the whole value or its start: of a name, the first or the last name; external ids are case-sensitive."
    />
  ) : (
    <Empty title="No customers yet" description="The first event or profile you record creates the first one." />
  );
}
