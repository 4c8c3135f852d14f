import { SimpleGrid, TextInput } from '@mantine/core';
import type { CampaignTiming } from '../../../client/index.ts';
import { withOptional } from '../../components/with-optional.ts';
import { NameInput } from '../../conditions/name-input.tsx';
import { useAttributes } from '../../recorded/recorded.ts';

type Zone = NonNullable<CampaignTiming['time_zone']>;

/** By which clocks local times are meant. */
export function ZoneFields({ zone, onChange }: { zone: Zone; onChange: (zone: Zone) => void }) {
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }}>
      <NameInput
        label="Attribute with the customer’s own time zone"
        placeholder="None"
        recorded={useAttributes()}
        value={zone.attribute ?? ''}
        onChange={(attribute) =>
          onChange(withOptional(zone, 'attribute', attribute.length > 0 ? attribute : undefined))
        }
      />
      <TextInput
        label="Time zone of everybody else"
        description="The IANA name, such as Europe/Berlin."
        maxLength={64}
        value={zone.default}
        onChange={({ currentTarget }) => onChange({ ...zone, default: currentTarget.value })}
      />
    </SimpleGrid>
  );
}
