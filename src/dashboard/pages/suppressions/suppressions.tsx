import { Button, Group, Select, Text, TextInput } from '@mantine/core';
import { useDebouncedCallback, useDisclosure } from '@mantine/hooks';
import { CircleSlashIcon, SearchIcon } from '@primer/octicons-react';
import { useState } from 'react';
import { useLocation } from 'react-router';
import type { AddressSuppressionReason, SuppressedAddress } from '../../../client/index.ts';
import { useRows } from '../../api/operations.ts';
import type { Column } from '../../components/data-table.tsx';
import { Page } from '../../components/page.tsx';
import { Rows } from '../../components/rows.tsx';
import { Section } from '../../components/section.tsx';
import { Empty } from '../../components/states.tsx';
import { Time } from '../../components/time.tsx';
import { useAllows } from '../../session/current-caller.tsx';
import { ReleaseAddress } from './release-address.tsx';
import { SuppressAddresses } from './suppress-addresses.tsx';
import { addressIn } from './use-suppressions.ts';
import { REASON_OPTIONS, reasonOfAddress } from './words.ts';

const PAGE = 50;
/** Milliseconds after the last keystroke. */
const PAUSE_MS = 250;
/** What the API takes as a whole address. */
const ADDRESS = /^[^\s@]+@[^\s@]+$/;

const COLUMNS: readonly Column<SuppressedAddress>[] = [
  {
    header: 'Address',
    isWholeLine: true,
    render: ({ address }) =>
      address === null ? (
        <Text size="sm" c="dimmed">
          forgotten, and suppressed all the same
        </Text>
      ) : (
        <Text size="sm" fw={500} style={{ overflowWrap: 'anywhere' }}>
          {address}
        </Text>
      ),
  },
  { header: 'Why', width: '30%', render: ({ reason }) => reasonOfAddress(reason) },
  { header: 'Since', width: 190, render: ({ suppressed_at }) => <Time value={suppressed_at} /> },
  { header: 'Until', width: 130, render: ({ until }) => (until ? <Time value={until} format="date" /> : 'for good') },
];

/** Addresses to which nothing is sent, whoever has them. */
export function Suppressions() {
  const [isAdding, { open, close }] = useDisclosure();
  const mayChange = useAllows('messages:write');
  // Not in the URL, which stays in the history of a browser and in logs.
  const linked = addressIn(useLocation().state);
  const [text, setText] = useState(linked);
  const [address, setAddress] = useState(linked);
  const [reason, setReason] = useState<AddressSuppressionReason | null>(null);
  const searchLater = useDebouncedCallback((typed: string) => setAddress(typed.trim()), PAUSE_MS);
  return (
    <Page
      title="Suppressions"
      description="Addresses to which nothing is sent, whoever has them."
      actions={mayChange && <Button onClick={open}>Suppress addresses</Button>}
    >
      <Section title="Suppressed addresses of this store">
        <Group component="search" align="flex-end" gap="xs">
          <TextInput
            label="Address"
            description="The whole of it."
            type="search"
            flex={1}
            miw={200}
            maw={420}
            leftSection={<SearchIcon />}
            placeholder="ada@example.com"
            maxLength={320}
            value={text}
            onChange={({ currentTarget }) => {
              setText(currentTarget.value);
              searchLater(currentTarget.value);
            }}
          />
          <Select
            label="Why"
            placeholder="Any reason"
            data={REASON_OPTIONS}
            value={reason}
            onChange={setReason}
            clearable
          />
        </Group>
        {address !== '' && !ADDRESS.test(address) ? (
          <Empty title="This is no whole address" description="Addresses are found by the whole of them." />
        ) : (
          <Found address={address} reason={reason} mayChange={mayChange} />
        )}
      </Section>
      {isAdding && <SuppressAddresses onClose={close} />}
    </Page>
  );
}

function Found({
  address,
  reason,
  mayChange,
}: {
  address: string;
  reason: AddressSuppressionReason | null;
  mayChange: boolean;
}) {
  const filter = { ...(address !== '' && { address }), ...(reason && { reason }) };
  const query = useRows('listSuppressedAddresses', { ...filter, limit: PAGE }, ({ addresses }) => addresses);
  const [releasing, setReleasing] = useState<SuppressedAddress>();
  const release: Column<SuppressedAddress> = {
    header: 'Release',
    width: 110,
    render: (suppressed) => (
      <Button
        size="compact-sm"
        variant="default"
        aria-label={`Release ${suppressed.address ?? 'the forgotten address'}`}
        onClick={() => setReleasing(suppressed)}
      >
        Release
      </Button>
    ),
  };
  return (
    <>
      <Rows
        query={query}
        label="Suppressed addresses"
        columns={mayChange ? [...COLUMNS, release] : COLUMNS}
        minWidth={680}
        unmatched={
          Object.keys(filter).length > 0 && (
            <Empty title="No suppressed address matches" description="As far as this goes, messages are sent." />
          )
        }
        empty={
          <Empty
            icon={<CircleSlashIcon size={24} />}
            title="No addresses are suppressed"
            description="Those that do not exist, and those of customers who complain, come to be here by themselves."
          />
        }
      />
      {releasing && <ReleaseAddress of={releasing} onClose={() => setReleasing(undefined)} />}
    </>
  );
}
