import { Button } from '@mantine/core';
import { Link } from 'react-router';
import { Page } from '../components/page.tsx';
import { Empty } from '../components/states.tsx';

export function NotFound() {
  return (
    <Page title="Page not found">
      <Empty
        title="There is nothing at this address"
        action={
          <Button component={Link} to="/">
            Go to the home page
          </Button>
        }
      />
    </Page>
  );
}
