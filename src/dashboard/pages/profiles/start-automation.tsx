import { Modal, Select, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { useClient } from '../../api/client.tsx';
import { useRows } from '../../api/operations.ts';
import { ActionForm } from '../../components/action-form.tsx';
import { objectIn } from '../../components/json-object.ts';
import { JsonObjectInput } from '../../components/json-object-input.tsx';
import { LoadMore } from '../../components/load-more.tsx';
import { refusalOf } from '../../components/refusal.ts';
import { Loaded } from '../../components/states.tsx';
import { runPath } from '../automations/runs/run-table.tsx';
import { SkipWords } from '../automations/skip-words.tsx';

/** Enrols a customer in an automation that is started by hand, and goes to the run. */
export function StartAutomation({ customer, onClose }: { customer: { [kind: string]: string }; onClose: () => void }) {
  const client = useClient();
  const navigate = useNavigate();
  const automations = useRows('listAutomations', { status: 'live', limit: 100 }, (page) =>
    page.automations.filter(({ trigger }) => trigger.type === 'manual'),
  );
  const [id, setId] = useState<string | null>(null);
  const [text, setText] = useState('{}');
  const starting = useMutation({
    mutationFn: () => client.enrolProfile({ id: id ?? '', profile: customer, properties: objectIn(text) ?? {} }),
    onSuccess: ({ run }) => run && navigate(runPath(run)),
  });
  const { wrong, rest } = refusalOf(starting.error, ['properties']);
  const skipped = starting.data?.skipped;
  return (
    <Modal opened onClose={onClose} title="Start an automation">
      <Loaded query={automations}>
        {(rows) =>
          rows.length === 0 && !automations.hasNextPage ? (
            <Text size="sm">No automation that is live is started by hand.</Text>
          ) : (
            <ActionForm
              verb="Start"
              failure="Nothing was started"
              error={rest}
              isPending={starting.isPending}
              isDisabled={id === null || objectIn(text) === undefined}
              onSubmit={starting.mutate}
            >
              <Stack>
                <Select
                  label="Automation"
                  description="Those that are live and started by hand."
                  placeholder="Choose one"
                  data={rows.map((one) => ({ value: one.id, label: one.name }))}
                  value={id}
                  onChange={setId}
                  searchable
                  data-autofocus
                />
                <LoadMore pages={automations} />
                <JsonObjectInput
                  label="Properties"
                  description="What its steps and conditions refer to, as they would to those of an event."
                  value={text}
                  onChange={setText}
                  error={wrong('properties')}
                />
                {skipped && (
                  <div role="status">
                    <SkipWords reason={skipped.reason} detail={skipped.detail} automationId={id ?? ''} />
                  </div>
                )}
              </Stack>
            </ActionForm>
          )
        }
      </Loaded>
    </Modal>
  );
}
