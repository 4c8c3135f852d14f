import { Anchor, Button, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router';
import type { Profile } from '../../../client/index.ts';
import { useOperation } from '../../api/operations.ts';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Loaded } from '../../components/states.tsx';
import { nameOf } from './name-of.ts';
import { SearchForm } from './search-form.tsx';

/** Customers that are shown to choose from. */
const SHOWN = 10;

/** Finds another customer, of whom one is chosen. */
export function CustomerPicker({ except, onPick }: { except: string; onPick: (profile: Profile) => void }) {
  const [search, setSearch] = useState<{ by: string; text: string }>();
  return (
    <Stack>
      <SearchForm
        by="email_prefix"
        text=""
        kinds={['email_prefix', 'phone_prefix', 'external_id_prefix', 'name_prefix']}
        onSearch={(by, text) => setSearch(text.trim() === '' ? undefined : { by, text })}
      />
      {search && <Found filter={{ [search.by]: search.text }} except={except} onPick={onPick} />}
    </Stack>
  );
}

function Found({
  filter,
  except,
  onPick,
}: {
  filter: Record<string, string>;
  except: string;
  onPick: (profile: Profile) => void;
}) {
  const query = useOperation('listProfiles', { ...filter, limit: SHOWN });
  const columns: readonly Column<Profile>[] = [
    {
      header: 'Customer',
      isWholeLine: true,
      render: (profile) => (
        <Anchor component={Link} to={`/profiles/${profile.id}`} target="_blank" size="sm" fw={500}>
          {nameOf(profile)}
        </Anchor>
      ),
    },
    { header: 'E-mail', render: ({ identifiers }) => identifiers.email },
    { header: 'External id', render: ({ identifiers }) => identifiers.external_id },
    {
      header: 'Choose',
      width: 110,
      render: (profile) => (
        <Button
          size="compact-sm"
          variant="default"
          aria-label={`Choose ${nameOf(profile)}`}
          onClick={() => onPick(profile)}
        >
          Choose
        </Button>
      ),
    },
  ];
  return (
    <Loaded query={query}>
      {({ profiles }) => {
        const others = profiles.filter(({ id }) => id !== except);
        return others.length > 0 ? (
          <DataTable
            label="Customers found"
            file={null}
            columns={columns}
            rows={others}
            rowKey={({ id }) => id}
            minWidth={560}
          />
        ) : (
          <Text size="sm" c="dimmed" role="status">
            No other customer is found by this.
          </Text>
        );
      }}
    </Loaded>
  );
}
