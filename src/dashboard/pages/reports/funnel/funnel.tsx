import { useState } from 'react';
import { useOperation } from '../../../api/operations.ts';
import { Page } from '../../../components/page.tsx';
import { refusalOf } from '../../../components/refusal.ts';
import { Empty, Failure, Loading } from '../../../components/states.tsx';
import { isPlaced } from '../../../conditions/notes.ts';
import { RangePicker } from '../../../range/range-picker.tsx';
import { useRange } from '../../../range/use-range.ts';
import { useFilters } from '../../../use-filters.ts';
import { type FunnelDefinition, fromAddress, NEW, toAddress } from './definition.ts';
import { FunnelEditor } from './editor.tsx';
import { FunnelResult } from './result.tsx';

/** How many customers take steps in order. What is counted is in the address, which can be shared. */
export function Funnel() {
  const range = useRange();
  const [{ funnel }, setFilters] = useFilters(['funnel']);
  const asked = fromAddress(funnel);
  const [draft, setDraft] = useState(asked ?? NEW);
  const query = useOperation('getFunnel', argsOf(asked ?? NEW, range), {
    enabled: asked !== undefined,
    staleTime: 60_000,
  });
  const { steps } = draft;
  const fields = ['window', 'breakdown', 'from', 'to', ...steps.map((_, n) => `steps[${n}].event_type`)];
  const error = asked ? query.error : null;
  const { wrong, rest } = refusalOf(error, fields);
  const isAtCondition = steps.some(({ where }, n) => isPlaced(where, error, `steps[${n}].where`));
  const count = () => {
    if (toAddress(draft) === funnel) query.refetch();
    else setFilters({ funnel: toAddress(draft) });
  };
  return (
    <Page
      title="Funnel"
      description="How many customers take some steps in order, such as looking at a product and then ordering."
      actions={<RangePicker range={range} />}
    >
      <FunnelEditor
        value={draft}
        onChange={setDraft}
        onSubmit={count}
        isCounting={query.isFetching}
        error={error}
        wrong={wrong}
      />
      {error && rest && !isAtCondition && (
        <Failure
          error={rest}
          title="The customers were not counted"
          onRetry={() => query.refetch()}
          isRetrying={query.isFetching}
        />
      )}
      {!error && asked && (query.data ? <FunnelResult funnel={query.data} /> : <Loading />)}
      {!asked && <Empty title="Nothing is counted yet" description="Choose the steps, and count the customers." />}
    </Page>
  );
}

function argsOf({ steps, window, breakdown }: FunnelDefinition, { first, last }: { first: string; last: string }) {
  return { steps: [...steps], window, from: first, to: last, ...(breakdown !== '' && { breakdown }) };
}
