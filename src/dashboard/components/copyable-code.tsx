import { ActionIcon, Box, Code, CopyButton, Tooltip } from '@mantine/core';
import { CheckIcon, CopyIcon } from '@primer/octicons-react';
import classes from './copyable-code.module.css';

/** A text to copy: a command, a document, a key. `label` says which. */
export function CopyableCode({ code, label }: { code: string; label: string }) {
  return (
    <Box pos="relative">
      <Code block className={classes.code} tabIndex={0} role="region" aria-label={label}>
        {code}
      </Code>
      <CopyButton value={code} timeout={2_000}>
        {({ copied, copy }) => (
          <Tooltip label={copied ? 'Copied' : 'Copy'}>
            <ActionIcon
              className={classes.copy}
              variant="default"
              aria-label={copied ? `${label}: copied` : `Copy: ${label}`}
              onClick={copy}
            >
              {copied ? <CheckIcon /> : <CopyIcon />}
            </ActionIcon>
          </Tooltip>
        )}
      </CopyButton>
    </Box>
  );
}

/** A document as JSON, whatever it holds: text, and nothing else. */
export function Json({ value, label }: { value: unknown; label: string }) {
  return <CopyableCode code={JSON.stringify(value, null, 2)} label={label} />;
}
