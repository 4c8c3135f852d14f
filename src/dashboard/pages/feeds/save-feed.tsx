import { Button, Group, SegmentedControl, Select, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { CatalogFeed } from '../../../client/index.ts';
import { useClient } from '../../api/client.tsx';
import { refusalOf } from '../../components/refusal.ts';
import { NameField, SaveDialog } from '../../components/save-dialog.tsx';
import { Failure } from '../../components/states.tsx';
import { ReadingFields, readingOf, toReading } from './feed-fields.tsx';
import { FeedPreview } from './preview.tsx';
import { feedPath, useRefreshFeeds } from './use-feeds.ts';
import { intervals } from './words.ts';

const FIELDS = ['name', 'url', 'format', 'currency', 'every_minutes'];

/** Creates a feed, or changes what there is to say of one. */
export function SaveFeed({ feed, onClose }: { feed?: CatalogFeed; onClose: () => void }) {
  const client = useClient();
  const refresh = useRefreshFeeds();
  const [source, setSource] = useState<string>(feed?.source ?? 'url');
  const [name, setName] = useState(feed?.name ?? '');
  const [url, setUrl] = useState('');
  const [reading, setReading] = useState(readingOf(feed));
  const [every, setEvery] = useState(String(feed?.every_minutes ?? 60));
  const isOfUrl = source === 'url';
  const previewing = useMutation({
    mutationFn: () => client.previewCatalogFeed({ url: url.trim(), ...toReading(reading) }),
  });
  const save = () => {
    const said = { name: name.trim(), ...toReading(reading) };
    const ofUrl = isOfUrl && { ...(url.trim() && { url: url.trim() }), every_minutes: Number(every) };
    if (feed) return client.updateCatalogFeed({ id: feed.id, ...said, ...ofUrl });
    return client.createCatalogFeed({ source: isOfUrl ? 'url' : 'file', ...said, ...ofUrl });
  };
  const refused = refusalOf(previewing.error, ['url']);
  return (
    <SaveDialog
      what="feed"
      changed={feed?.name}
      size="lg"
      fields={FIELDS}
      isDisabled={name.trim() === '' || (isOfUrl && !feed && url.trim() === '')}
      save={save}
      refresh={refresh}
      pathOf={feedPath}
      onClose={onClose}
    >
      {(wrong) => (
        <>
          {!feed && (
            <SegmentedControl
              aria-label="Where the file comes from"
              data={[
                { value: 'url', label: 'From a URL' },
                { value: 'file', label: 'An uploaded file' },
              ]}
              value={source}
              onChange={setSource}
            />
          )}
          <NameField value={name} error={wrong('name')} onChange={setName} />
          {isOfUrl && (
            <>
              <TextInput
                label="URL"
                description={
                  feed
                    ? `It is secret, and stays as it is unless you give another: now one of ${feed.url_origin}.`
                    : 'It begins with https://, and is kept secret: it may have a token.'
                }
                required={!feed}
                maxLength={2048}
                inputMode="url"
                autoComplete="off"
                value={url}
                onChange={({ currentTarget }) => setUrl(currentTarget.value)}
                error={wrong('url') ?? refused.wrong('url')}
              />
              <Select
                label="How often it is read"
                data={intervals(Number(every))}
                allowDeselect={false}
                value={every}
                onChange={(value) => setEvery(value ?? every)}
                error={wrong('every_minutes')}
              />
            </>
          )}
          <ReadingFields reading={reading} wrong={wrong} onChange={setReading} />
          {isOfUrl && (
            <Group>
              <Button
                variant="default"
                loading={previewing.isPending}
                disabled={url.trim() === ''}
                onClick={() => previewing.mutate()}
              >
                Preview
              </Button>
            </Group>
          )}
          {refused.rest && <Failure error={refused.rest} title="The file could not be looked at" />}
          {previewing.data && <FeedPreview preview={previewing.data} />}
        </>
      )}
    </SaveDialog>
  );
}
