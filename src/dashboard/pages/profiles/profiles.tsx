import { Anchor } from '@mantine/core';
import { Link } from 'react-router';
import type { Arguments, Profile } from '../../../client/index.ts';
import { useRows } from '../../api/operations.ts';
import type { Column } from '../../components/data-table.tsx';
import { Page } from '../../components/page.tsx';
import { Rows } from '../../components/rows.tsx';
import { Section } from '../../components/section.tsx';
import { Empty } from '../../components/states.tsx';
import { Time } from '../../components/time.tsx';
import { useFilters } from '../../use-filters.ts';
import { CustomersOfOrder } from './customers-of-order.tsx';
import { nameOf } from './name-of.ts';
import { NAMES, SearchForm } from './search-form.tsx';

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
      <Rows
        query={query}
        label="Profiles"
        columns={COLUMNS}
        to={(id) => `/profiles/${id}`}
        empty={<Nobody isSearch={Object.keys(filter).length > 0} />}
      />
    </Section>
  );
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
