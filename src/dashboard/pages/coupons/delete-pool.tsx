import type { CouponPool } from '../../../client/index.ts';
import { useClient } from '../../api/client.tsx';
import { Deletion } from '../../components/deletion.tsx';
import { count } from '../../components/numbers.ts';
import { useRefreshPools } from './use-pools.ts';

/** Asks once more, then deletes a pool. */
export function DeletePool({ pool: { id, name, code_count }, onClose }: { pool: CouponPool; onClose: () => void }) {
  const client = useClient();
  return (
    <Deletion
      kind="pool"
      name={name}
      remove={() => client.deleteCouponPool({ id })}
      refresh={useRefreshPools()}
      leadsTo="/coupons"
      onClose={onClose}
    >
      The pool and its {count(code_count)} codes are gone permanently, and so is which customer has which. The codes
      stay valid in the shop, and messages keep theirs.
    </Deletion>
  );
}
