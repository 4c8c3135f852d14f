import { MultiSelect, Stack, Text } from '@mantine/core';
import type { Campaign, CampaignAudiencePart, CampaignEstimate } from '../../../client/index.ts';
import { useOperation } from '../../api/operations.ts';
import { count } from '../../components/numbers.ts';
import { Loaded } from '../../components/states.tsx';
import { wordsOf } from '../../components/words-of.ts';
import { useAudiences } from '../../conditions/use-names.ts';
import type { SavedDraft } from '../../drafts/use-saved-draft.ts';
import type { CampaignDraft } from './use-campaigns.ts';
import { REASON_WORDS, WHO_WORDS } from './words.ts';

type Draft = SavedDraft<Campaign, CampaignDraft>;

/** Who gets it, and who of them would be sent it now. */
export function CampaignAudience({ draft, mayWrite }: { draft: Draft; mayWrite: boolean }) {
  const { value, change, saved, isChanged, isSaving, save } = draft;
  const { lists, segments } = useAudiences();
  const data = [
    { group: 'Lists', items: lists.map(({ id, name }) => ({ value: `list ${id}`, label: name })) },
    { group: 'Segments', items: segments.map(({ id, name }) => ({ value: `segment ${id}`, label: name })) },
  ];
  const audience = value.audience ?? { any: [], not: [] };
  const others = [...audience.any, ...audience.not].flatMap(({ campaign }) => campaign ?? []);
  if (others.length > 0) {
    const items = others.map((campaign) => ({ value: keyOf({ campaign }), label: wordsOf(WHO_WORDS, campaign.who) }));
    data.push({ group: 'Of another campaign', items: [...new Map(items.map((item) => [item.value, item])).values()] });
  }
  const select = (part: 'any' | 'not', label: string, description: string) => (
    <MultiSelect
      label={label}
      description={description}
      data={data}
      value={audience[part].map(keyOf)}
      onChange={(keys) => change({ ...value, audience: { ...audience, [part]: keys.map(partOf) } })}
      // What is shown beside it is of what was saved.
      onBlur={() => isChanged && mayWrite && save()}
      maxValues={20}
      disabled={!mayWrite}
      searchable
      clearable
      maw={640}
    />
  );
  return (
    <>
      {select('any', 'Sent to', 'Whoever is in one of these lists and segments gets it, once.')}
      {select('not', 'But not to', 'Whoever is in one of these does not.')}
      {saved.audience && !isChanged && !isSaving ? (
        <Estimate key={saved.revision} id={saved.id} />
      ) : (
        <Text size="sm" c="dimmed">
          Choose who gets it to see how many they are.
        </Text>
      )}
    </>
  );
}

function Estimate({ id }: { id: string }) {
  const query = useOperation('estimateCampaign', { id });
  return <Loaded query={query}>{(estimate) => <EstimateWords estimate={estimate} />}</Loaded>;
}

/** How many customers it would be sent to, and why not to the others. */
export function EstimateWords({ estimate }: { estimate: CampaignEstimate }) {
  const { audience_count, included_count, excluded, is_exact } = estimate;
  return (
    <Stack gap={4} role="status">
      <Text size="sm" fw={500}>
        {is_exact ? '' : 'About '}
        {count(included_count)} of {count(audience_count)} customers would be sent it now.
      </Text>
      {excluded.map(({ reason, count: customers }) => (
        <Text key={reason} size="sm" c="dimmed">
          {wordsOf(REASON_WORDS, reason)}: {count(customers)}
        </Text>
      ))}
    </Stack>
  );
}

function keyOf({ list, segment, campaign }: CampaignAudiencePart): string {
  if (campaign) return `campaign ${campaign.id} ${campaign.who}`;
  return list === undefined ? `segment ${segment}` : `list ${list}`;
}

function partOf(key: string): CampaignAudiencePart {
  const [kind, id = '', who = ''] = key.split(' ');
  if (kind === 'campaign') return { campaign: { id, who } };
  return kind === 'list' ? { list: id } : { segment: id };
}
