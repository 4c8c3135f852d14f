import { Page } from '../../components/page.tsx';
import { Empty } from '../../components/states.tsx';

export function Profiles() {
  return (
    <Page title="Profiles">
      <Empty title="Nothing here yet" />
    </Page>
  );
}
