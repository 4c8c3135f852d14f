import { Alert, Button, Group } from '@mantine/core';
import { AlertIcon } from '@primer/octicons-react';
import type { DefinitionWarning } from '../../../client/index.ts';
import { ProblemList } from '../../components/problems.tsx';
import type { AutomationDefinition } from '../../definitions.ts';
import { askingForConsent } from './consent.ts';

/** What whoever publishes should know; where the definition can be changed, with what would help. */
export function Warnings({
  warnings,
  onChange,
  definition,
}: {
  warnings: readonly DefinitionWarning[];
  definition: AutomationDefinition;
  onChange?: (definition: AutomationDefinition) => void;
}) {
  if (warnings.length === 0) return null;
  const asks = onChange && warnings.some(({ code }) => code === 'consent_not_asked');
  return (
    <Alert color="yellow" icon={<AlertIcon />} title="Before you publish" role="status">
      <ProblemList problems={warnings} label="Warnings" />
      {asks && (
        <Group gap="xs" mt="sm">
          <Button size="xs" variant="default" onClick={() => onChange(askingForConsent(definition, 'email'))}>
            Ask for consent to e-mails
          </Button>
          <Button size="xs" variant="default" onClick={() => onChange(askingForConsent(definition, 'sms'))}>
            Ask for consent to text messages
          </Button>
        </Group>
      )}
    </Alert>
  );
}
