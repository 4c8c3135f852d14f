import { Text } from '@mantine/core';
import { useRows } from '../../api/operations.ts';
import { LoadMore } from '../../components/load-more.tsx';
import { Page } from '../../components/page.tsx';
import { Empty, Loaded } from '../../components/states.tsx';
import { CauseList } from './cause-list.tsx';
import { groupByCause, isRefusal } from './causes.ts';

const PAGE = 100;
/** Milliseconds. */
const REFRESH_MS = 5_000;

/** What the store's requests were refused for. */
export function Rejections() {
  const query = useRows('listRejections', { limit: PAGE }, ({ rejections }) => rejections.filter(isRefusal), {
    refetchInterval: REFRESH_MS,
  });
  return (
    <Page
      title="Rejections"
      description="Requests that were refused, and why; the last 1,000 are kept. Their contents are not shown."
    >
      <Loaded query={query}>
        {(rejections) =>
          rejections.length === 0 ? (
            <Empty title="No requests were refused" description="If one is, the reason appears here within seconds." />
          ) : (
            <>
              <CauseList causes={groupByCause(rejections)} />
              <Text c="dimmed" size="sm" role="status">
                {query.hasNextPage
                  ? `From the last ${rejections.length} refused requests.`
                  : 'All refused requests on record.'}
              </Text>
              <LoadMore pages={query} />
            </>
          )
        }
      </Loaded>
    </Page>
  );
}
