import { Group, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { HistoryIcon } from '@primer/octicons-react';
import { useState } from 'react';
import { sessionFetch } from '../../api/client.tsx';
import { useRows } from '../../api/operations.ts';
import { NamedSelect } from '../../components/named-select.tsx';
import { Page } from '../../components/page.tsx';
import { SaveButton } from '../../components/save-button.tsx';
import { saveAnswer } from '../../components/save-file.ts';
import { Section } from '../../components/section.tsx';
import { Empty, Loaded } from '../../components/states.tsx';
import { TimeInput } from '../../components/time-input.tsx';
import { useFilters } from '../../use-filters.ts';
import { sizeWords } from '../imports/words.ts';
import { EntryTable } from './entry-table.tsx';
import { useActors } from './use-actors.ts';

const PAGE = 50;
/** Milliseconds after the last keystroke. */
const PAUSE_MS = 250;

/** Who has changed what of the store. */
export function AuditLog() {
  const [filters, change] = useFilters(['actor_id', 'operation', 'from', 'to']);
  const [operation, setOperation] = useState(filters.operation ?? '');
  const filterLater = useDebouncedCallback((typed: string) => change({ operation: typed.trim() }), PAUSE_MS);
  const actors = useActors();
  const query = useRows('listAuditEntries', { ...filters, limit: PAGE }, ({ entries }) => entries);
  const path = `/v1/audit-entries/export?${new URLSearchParams(filters)}`;
  return (
    <Page
      title="Audit log"
      description="Who has changed what of this store, and who has signed in, for 400 days. Values are not in it."
      actions={
        <SaveButton
          save={(given, onBytes) =>
            saveAnswer((signal) => sessionFetch(path, { signal }), 'audit-log.csv', given, onBytes)
          }
          soFar={sizeWords}
        >
          Download as CSV
        </SaveButton>
      }
    >
      <Section title="Entries of this store">
        <Group component="search" align="flex-end" gap="xs">
          <NamedSelect
            label="By"
            placeholder="Anybody"
            known={actors}
            mayList
            clearable
            value={filters.actor_id ?? ''}
            onChange={(actor_id) => change({ actor_id })}
          />
          <TextInput
            label="Operation"
            placeholder="createApiKey"
            maxLength={64}
            value={operation}
            onChange={({ currentTarget }) => {
              setOperation(currentTarget.value);
              filterLater(currentTarget.value);
            }}
          />
          <TimeInput label="From" value={filters.from ?? ''} onChange={(from) => change({ from })} />
          <TimeInput label="Until" value={filters.to ?? ''} onChange={(to) => change({ to })} />
        </Group>
        <Loaded query={query}>
          {(entries) =>
            entries.length > 0 ? (
              <EntryTable entries={entries} pages={query} onActor={(actor_id) => change({ actor_id })} />
            ) : (
              <Empty icon={<HistoryIcon size={24} />} title="No entries" description="Nothing was changed by this." />
            )
          }
        </Loaded>
      </Section>
    </Page>
  );
}
