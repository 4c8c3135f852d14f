import { Button, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import type { Campaign, CampaignStats, CampaignVariantStats } from '../../../client/index.ts';
import { useClient } from '../../api/client.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { count, share } from '../../components/numbers.ts';
import { Time } from '../../components/time.tsx';
import { wordsOf } from '../../components/words-of.ts';
import { useAllows } from '../../session/current-caller.tsx';
import { useSenders } from '../senders/use-senders.ts';
import { useTemplates } from '../templates/use-templates.ts';
import { useRefreshCampaigns } from './use-campaigns.ts';
import { VERDICT_WORDS } from './words.ts';

/** What became of the variants of a campaign, and which of them won. */
export function VariantResults({ campaign, stats }: { campaign: Campaign; stats: CampaignStats }) {
  const { test, test_outcome: outcome } = campaign;
  const choice = useChoice(campaign);
  const names = useNames(campaign);
  if (!test || !outcome) return null;
  const columns: Column<CampaignVariantStats>[] = [
    { header: 'Variant', isWholeLine: true, render: ({ variant }) => `${variant}. ${names(variant)}` },
    { header: 'Recipients', width: 110, align: 'right', render: ({ recipient_count: some }) => count(some) },
    { header: 'Handed over', width: 120, align: 'right', render: ({ sent_count: some }) => count(some) },
    {
      header: 'Opened, at most',
      width: 140,
      align: 'right',
      render: ({ opened_count: some, sent_count: all }) => `${count(some)} (${share(some, all)})`,
    },
    {
      header: 'Clicked',
      width: 130,
      align: 'right',
      render: ({ clicked_count: some, sent_count: all }) => `${count(some)} (${share(some, all)})`,
    },
    {
      header: 'Ordered',
      width: 130,
      align: 'right',
      render: ({ ordered_count: some, sent_count: all }) => `${count(some)} (${share(some, all)})`,
    },
    {
      header: 'Winner',
      width: 150,
      render: ({ variant }) =>
        outcome.winner === variant ? (
          'The winner'
        ) : choice.isPossible ? (
          <Button
            size="xs"
            variant="default"
            aria-label={`Send to the rest: variant ${variant}`}
            onClick={() => choice.choose(variant)}
            loading={choice.chosen === variant}
            disabled={choice.chosen !== undefined}
          >
            Send to the rest
          </Button>
        ) : null,
    },
  ];
  return (
    <Stack gap="xs">
      <DataTable
        label="Variants"
        columns={columns}
        rows={stats.variants}
        rowKey={({ variant }) => String(variant)}
        minWidth={900}
      />
      <Text size="sm">{stats.comparison?.explanation}</Text>
      <Text size="sm" role="status">
        {outcome.verdict === null ? 'It is not decided yet.' : wordsOf(VERDICT_WORDS, outcome.verdict)}
        {outcome.decided_at !== null && (
          <>
            {' '}
            Decided <Time value={outcome.decided_at} />.
          </>
        )}
      </Text>
    </Stack>
  );
}

/** What each variant is called by what differs. */
function useNames({ test }: Campaign): (variant: number) => string {
  const senders = useSenders();
  const templates = useTemplates();
  return (variant) => {
    const { subject, template_id: templateId, sender_id: senderId } = test?.variants[variant - 1] ?? {};
    if (subject !== undefined) return subject;
    const named: readonly { id: string; name: string }[] | undefined = templateId === undefined ? senders : templates;
    const id = templateId ?? senderId ?? '';
    return named?.find((one) => one.id === id)?.name ?? id;
  };
}

/** Chooses the winner before it is decided, or where it could not be. */
function useChoice({ id, name, status, prepared_at, test_outcome }: Campaign) {
  const client = useClient();
  const refresh = useRefreshCampaigns();
  const maySend = useAllows('messages:send');
  const choosing = useMutation({
    mutationFn: (winner: number) => client.setCampaignStatus({ id, status: 'sending', winner }),
    onSuccess: async (_, winner) => {
      notifications.show({ title: name, message: `The rest get variant ${winner}.` });
      await refresh();
    },
    onError: ({ message }) => notifications.show({ color: 'red', title: name, message }),
  });
  const canGo = status === 'sending' || status === 'paused' || status === 'held';
  return {
    isPossible: maySend && canGo && prepared_at !== null && test_outcome?.verdict === null,
    choose: choosing.mutate,
    chosen: choosing.isPending ? choosing.variables : undefined,
  };
}
