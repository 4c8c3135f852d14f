import { Button } from '@mantine/core';
import { Page } from '../components/page.tsx';
import { Empty } from '../components/states.tsx';

/** In the place of a page that failed, or whose code could not be loaded. */
export function Broken() {
  return (
    <Page title="Something went wrong">
      <Empty
        title="This page could not be shown"
        description="It may be that the service was updated, or is away. Load it again."
        action={<Button onClick={() => window.location.reload()}>Load again</Button>}
      />
    </Page>
  );
}
