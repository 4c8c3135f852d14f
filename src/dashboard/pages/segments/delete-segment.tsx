import { useClient } from '../../api/client.tsx';
import { Deletion } from '../../components/deletion.tsx';
import { useRefreshSegments } from './use-segments.ts';

/** Asks once more, then deletes a segment. */
export function DeleteSegment({ id, name, onClose }: { id: string; name: string; onClose: () => void }) {
  const client = useClient();
  return (
    <Deletion
      kind="segment"
      name={name}
      remove={() => client.deleteSegment({ id })}
      refresh={useRefreshSegments()}
      leadsTo="/segments"
      onClose={onClose}
    >
      The segment is gone permanently, with its changes. The customers themselves stay.
    </Deletion>
  );
}
