import { Stack } from '@mantine/core';
import type { TemplateProblem } from '../../../client/index.ts';
import { Problems } from '../../components/problems.tsx';

/** What refuses the publication of a draft, and what should be known before it. */
export function TemplateProblems({ problems }: { problems: readonly TemplateProblem[] }) {
  const errors = problems.filter(({ severity }) => severity === 'error');
  const others = problems.filter(({ severity }) => severity !== 'error');
  if (problems.length === 0) return null;
  return (
    <Stack gap="xs">
      <Problems problems={errors} />
      <Problems problems={others} title="Before you publish" />
    </Stack>
  );
}
