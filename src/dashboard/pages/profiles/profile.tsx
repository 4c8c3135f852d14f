import { Page } from '../../components/page.tsx';
import { Empty } from '../../components/states.tsx';

export function Profile() {
  return (
    <Page title="Profile">
      <Empty title="Nothing here yet" />
    </Page>
  );
}
