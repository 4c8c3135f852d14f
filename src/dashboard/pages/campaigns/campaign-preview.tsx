import { Select } from '@mantine/core';
import { useState } from 'react';
import type { Campaign } from '../../../client/index.ts';
import { useAllows } from '../../session/current-caller.tsx';
import { Preview } from '../templates/preview/preview.tsx';

const NONE = 'none';

/** What a campaign says, as it was saved last, and what each of its variants does: to be seen, and sent to oneself. */
export function CampaignPreview({ campaign: { id, template_id, test } }: { campaign: Campaign }) {
  const [chosen, setChosen] = useState(NONE);
  const mayRead = useAllows('messages:read', 'events:read', 'profiles:read');
  const variants = test?.variants ?? [];
  const number = Number(chosen);
  const variant = variants[number - 1];
  const templateId = variant?.template_id ?? template_id;
  if (!mayRead || templateId === null) return null;
  return (
    <Preview
      // Another one may have another subject, another template, or another sender.
      key={`${templateId} ${JSON.stringify(variants)}`}
      templateId={templateId}
      of={{ campaign_id: id, ...(variant && { variant: number }) }}
      choice={
        variants.length > 0 && (
          <Select
            label="Variant"
            data={[
              { value: NONE, label: 'None of them' },
              ...variants.map((_, i) => ({ value: String(i + 1), label: `Variant ${i + 1}` })),
            ]}
            value={variant ? chosen : NONE}
            onChange={(value) => setChosen(value ?? NONE)}
            allowDeselect={false}
            maw={320}
          />
        )
      }
    />
  );
}
