import { Button } from '@mantine/core';
import { Page } from '../components/page.tsx';
import { Empty } from '../components/states.tsx';

/** In the place of a page that failed, or whose code could not be loaded. */
export function Broken() {
  return (
    <Page title="Something went wrong">
      <Empty
        title="This page could not be displayed"
        description="The service may have been updated, or may be down. Reload the page."
        action={<Button onClick={() => window.location.reload()}>Reload</Button>}
      />
    </Page>
  );
}
