import { Page } from '../../components/page.tsx';
import { Empty } from '../../components/states.tsx';

export function Rejections() {
  return (
    <Page title="Rejections">
      <Empty title="Nothing here yet" />
    </Page>
  );
}
