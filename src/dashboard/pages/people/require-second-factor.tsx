import { Switch } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useClient } from '../../api/client.tsx';
import { useOperation } from '../../api/operations.ts';
import { Failure, Loaded } from '../../components/states.tsx';
import { useCaller } from '../../session/current-caller.tsx';

/** Has an owner decide whether everybody has to have a second factor. */
export function RequireSecondFactor() {
  const client = useClient();
  const queryClient = useQueryClient();
  const store = useOperation('getStore', {});
  const isOwner = useCaller()?.role === 'owner';
  const change = useMutation({
    mutationFn: (requires_second_factor: boolean) => client.updateStore({ requires_second_factor }),
    onSuccess: async (after) => {
      queryClient.setQueryData(['getStore', {}], after);
      await queryClient.invalidateQueries({ queryKey: ['getSession'] });
    },
  });
  return (
    <Loaded query={store}>
      {({ requires_second_factor }) => (
        <>
          <Switch
            label="Everybody needs a second factor"
            description={`Who has none can only set one up, from the next moment on. ${isOwner ? '' : 'Only an owner changes this.'}`}
            checked={requires_second_factor === true}
            disabled={!isOwner || change.isPending}
            onChange={({ currentTarget }) => change.mutate(currentTarget.checked)}
          />
          {change.error && <Failure error={change.error} title="It was not changed" />}
        </>
      )}
    </Loaded>
  );
}
