import { Alert, FileInput, Modal, NumberInput, Textarea } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { CouponPool } from '../../../client/index.ts';
import { useClient } from '../../api/client.tsx';
import { ActionForm } from '../../components/action-form.tsx';
import { count } from '../../components/numbers.ts';
import { useRefreshPools } from './use-pools.ts';

/** Codes of one request, and of one upload here. */
const [PORTION, MOST] = [1_000, 100_000];

/** Adds codes to a pool: those of a shop, one in a line, or so many random ones. */
export function AddCodes({ pool: { id, name, kind }, onClose }: { pool: CouponPool; onClose: () => void }) {
  const client = useClient();
  const refresh = useRefreshPools();
  const [text, setText] = useState('');
  const [wanted, setWanted] = useState<number | string>(PORTION);
  const isDrawn = kind === 'generated';
  const codes = text.split(/[\s,;]+/).filter((code) => code !== '');
  const adding = useMutation({
    mutationFn: async () => {
      const total = { added: 0, duplicates: 0 };
      const take = ({ added_count, duplicate_count }: { added_count: number; duplicate_count: number }) => {
        total.added += added_count;
        total.duplicates += duplicate_count;
      };
      if (isDrawn) take(await client.addCouponCodes({ id, generate: Number(wanted) }));
      for (let at = 0; !isDrawn && at < codes.length; at += PORTION) {
        take(await client.addCouponCodes({ id, codes: codes.slice(at, at + PORTION) }));
      }
      return total;
    },
    onSettled: refresh,
  });
  return (
    <Modal opened onClose={onClose} size="lg" title={`Codes of “${name}”`}>
      <ActionForm
        verb={isDrawn ? 'Draw' : 'Add'}
        failure="Not all codes were added"
        error={adding.error}
        isPending={adding.isPending}
        isDisabled={isDrawn ? wanted === '' : codes.length === 0 || codes.length > MOST}
        cancel="Close"
        onCancel={onClose}
        onSubmit={adding.mutate}
      >
        {isDrawn ? (
          <NumberInput
            label="How many"
            description={`At most ${count(PORTION)} at a time.`}
            min={1}
            max={PORTION}
            allowDecimal={false}
            value={wanted}
            onChange={setWanted}
          />
        ) : (
          <>
            <FileInput
              label="File"
              description="Text or CSV with codes and nothing else."
              accept=".csv,.txt,text/plain,text/csv"
              clearable
              onChange={(file) => void file?.text().then(setText)}
            />
            <Textarea
              label="Codes"
              description={`One in a line; at most ${count(MOST)}.`}
              autosize
              minRows={4}
              maxRows={12}
              required
              value={text}
              onChange={({ currentTarget }) => setText(currentTarget.value)}
              error={codes.length > MOST ? `These are ${count(codes.length)}` : undefined}
            />
          </>
        )}
        {adding.data && (
          <Alert color="green" role="status">
            {count(adding.data.added)} added, {count(adding.data.duplicates)} were in it already.
          </Alert>
        )}
      </ActionForm>
    </Modal>
  );
}
