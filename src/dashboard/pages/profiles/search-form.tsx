import { Group, Select, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { SearchIcon } from '@primer/octicons-react';
import { useState } from 'react';

/** What one can search by: the beginning of it, which is also the whole; of an order, the whole. The names are those of the API. */
const SEARCHES = {
  name_prefix: { label: 'Name', placeholder: 'Ada Lovelace, Lovelace, or the start of it', maxLength: 100 },
  email_prefix: { label: 'E-mail', placeholder: 'ada@example.com, or the start of it', maxLength: 254 },
  phone_prefix: { label: 'Phone', placeholder: '+49 151, …, or as it is dialled in your country', maxLength: 64 },
  external_id_prefix: { label: 'External id', placeholder: 'cust_1001, …', maxLength: 255 },
  order_id: { label: 'Order number', placeholder: 'ord_5001, …', maxLength: 255 },
} as const;
export type Search = keyof typeof SEARCHES;
export const NAMES = Object.keys(SEARCHES) as Search[];

/** Milliseconds after the last keystroke. */
const PAUSE_MS = 250;

/** What is typed is searched for after a pause. */
export function SearchForm({
  by: given,
  text: searched,
  kinds = NAMES,
  onSearch,
}: {
  by: Search;
  text: string;
  kinds?: readonly Search[];
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
        data={kinds.map((value) => ({ value, label: SEARCHES[value].label }))}
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
