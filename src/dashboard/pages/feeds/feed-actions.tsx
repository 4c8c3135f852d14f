import { Button, Group } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { CatalogFeed } from '../../../client/index.ts';
import { useClient } from '../../api/client.tsx';
import { Deletion } from '../../components/deletion.tsx';
import { SaveFeed } from './save-feed.tsx';
import { UploadFile } from './upload-file.tsx';
import { LIST, useRefreshFeeds } from './use-feeds.ts';

/** What can be done with a feed. */
export function FeedActions({ feed }: { feed: CatalogFeed }) {
  const client = useClient();
  const refresh = useRefreshFeeds();
  const refreshList = useRefreshFeeds(LIST);
  const [asked, setAsked] = useState<'upload' | 'change' | 'delete'>();
  const close = () => setAsked(undefined);
  const onError = ({ message }: Error) => notifications.show({ color: 'red', title: 'That was not done', message });
  const running = useMutation({
    mutationFn: () => client.runCatalogFeed({ id: feed.id }),
    onError,
    onSettled: refresh,
  });
  const pausing = useMutation({
    mutationFn: () => client.updateCatalogFeed({ id: feed.id, is_paused: !feed.is_paused }),
    onError,
    onSettled: refresh,
  });
  return (
    <Group gap="xs">
      {feed.source === 'file' ? (
        <Button onClick={() => setAsked('upload')} disabled={feed.is_running}>
          Upload a file
        </Button>
      ) : (
        <>
          <Button onClick={() => running.mutate()} loading={running.isPending} disabled={feed.is_running}>
            {feed.is_running ? 'Being read' : 'Run now'}
          </Button>
          <Button variant="default" onClick={() => pausing.mutate()} loading={pausing.isPending}>
            {feed.is_paused ? 'Resume' : 'Pause'}
          </Button>
        </>
      )}
      <Button variant="default" onClick={() => setAsked('change')}>
        Change
      </Button>
      <Button variant="default" c="red" onClick={() => setAsked('delete')}>
        Delete
      </Button>
      {asked === 'upload' && <UploadFile feed={feed} onClose={close} />}
      {asked === 'change' && <SaveFeed feed={feed} onClose={close} />}
      {asked === 'delete' && (
        <Deletion
          kind="feed"
          name={feed.name}
          remove={() => client.deleteCatalogFeed({ id: feed.id })}
          refresh={refreshList}
          leadsTo="/feeds"
          onClose={close}
        >
          The feed is not read any more, and what its runs say is gone. Its items stay as they are.
        </Deletion>
      )}
    </Group>
  );
}
