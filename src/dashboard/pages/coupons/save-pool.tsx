import { NumberInput, SegmentedControl, Switch, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { CouponPool, CouponPoolInput } from '../../../client/index.ts';
import { useClient } from '../../api/client.tsx';
import { NameField, SaveDialog } from '../../components/save-dialog.tsx';
import { TimeInput } from '../../components/time-input.tsx';
import { poolPath, useRefreshPools } from './use-pools.ts';

const FIELDS = ['name', 'pattern', 'low_below', 'expires_at'];

/** Creates a pool, or changes what there is to say of one. */
export function SavePool({ pool, onClose }: { pool?: CouponPool; onClose: () => void }) {
  const client = useClient();
  const refresh = useRefreshPools();
  const [name, setName] = useState(pool?.name ?? '');
  const [kind, setKind] = useState<CouponPoolInput['kind']>('uploaded');
  const [pattern, setPattern] = useState('HELLO-####-####');
  const [isPerRun, setIsPerRun] = useState(false);
  const [lowBelow, setLowBelow] = useState<number | string>(pool?.low_below ?? '');
  const [expiresAt, setExpiresAt] = useState(pool?.expires_at ?? '');
  const save = () => {
    const said = {
      name: name.trim(),
      low_below: typeof lowBelow === 'number' ? lowBelow : null,
      expires_at: expiresAt || null,
    };
    if (pool) return client.updateCouponPool({ id: pool.id, ...said });
    const drawn = kind === 'generated' && { pattern: pattern.trim() };
    return client.createCouponPool({ ...said, kind, per: isPerRun ? 'run' : 'customer', ...drawn });
  };
  return (
    <SaveDialog
      what="pool"
      changed={pool?.name}
      fields={FIELDS}
      isDisabled={name.trim() === ''}
      save={save}
      refresh={refresh}
      pathOf={poolPath}
      onClose={onClose}
    >
      {(wrong) => (
        <>
          <NameField value={name} error={wrong('name')} onChange={setName} />
          {!pool && (
            <>
              <SegmentedControl
                aria-label="Where its codes come from"
                data={[
                  { value: 'uploaded', label: 'Codes of the shop' },
                  { value: 'generated', label: 'Random codes' },
                ]}
                value={kind}
                onChange={(value) => setKind(value as typeof kind)}
              />
              {kind === 'generated' && (
                <TextInput
                  label="Pattern"
                  description="Each # becomes a random letter or digit; it has eight or more. The shop has to create the codes."
                  required
                  maxLength={64}
                  value={pattern}
                  onChange={({ currentTarget }) => setPattern(currentTarget.value)}
                  error={wrong('pattern')}
                />
              )}
              <Switch
                label="A customer gets a new code in each run"
                description="Otherwise they have one of the pool, however often they are given it."
                checked={isPerRun}
                onChange={({ currentTarget }) => setIsPerRun(currentTarget.checked)}
              />
            </>
          )}
          <NumberInput
            label="Low with fewer free codes than"
            description="Then every page of the dashboard says so. Empty: never."
            min={1}
            max={1_000_000}
            allowDecimal={false}
            value={lowBelow}
            onChange={setLowBelow}
            error={wrong('low_below')}
          />
          <TimeInput
            label="Expires"
            description="From then on no code is given out. Empty: never."
            value={expiresAt}
            onChange={setExpiresAt}
            error={wrong('expires_at')}
          />
        </>
      )}
    </SaveDialog>
  );
}
