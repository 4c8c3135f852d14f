import type { ComponentProps } from 'react';
import { NamedSelect } from '../../components/named-select.tsx';
import { useAllows } from '../../session/current-caller.tsx';
import { usePools } from './use-pools.ts';

/** Chooses one of the store's pools of coupon codes. */
export function PoolSelect(props: Omit<ComponentProps<typeof NamedSelect>, 'known' | 'mayList'>) {
  return <NamedSelect label="Pool" {...props} known={usePools()} mayList={useAllows('catalog:read')} />;
}
