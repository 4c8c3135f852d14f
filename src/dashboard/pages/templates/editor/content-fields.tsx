import { Checkbox, Stack, TextInput } from '@mantine/core';
import type { TemplateProblem } from '../../../../client/index.ts';
import { offsetAt, SourceInput } from '../../../components/source-input.tsx';
import { withOptional } from '../../../components/with-optional.ts';
import type { TemplateDraft, TemplateTranslation } from '../../../definitions.ts';
import { BlocksField } from './blocks/blocks-field.tsx';

/**
 * What a template says in one language. In a translation, `original` is what is said where it says nothing: that is shown in
 * empty fields, and a body or a text begins as it.
 */
export function ContentFields({
  draft: { kind, use },
  value,
  original,
  field,
  problems,
  onChange,
}: {
  draft: TemplateDraft;
  value: TemplateTranslation;
  original?: TemplateDraft;
  /** Its place in the draft, which ends with a dot if it is not the root. */
  field: string;
  problems: readonly TemplateProblem[];
  onChange: (value: TemplateTranslation) => void;
}) {
  const isMail = kind !== 'sms' && use === 'message';
  const wrong = (name: string) =>
    problems.flatMap((one) => (one.field === field + name ? one.message : [])).join('. ') || undefined;
  const line = (name: 'subject' | 'preheader', label: string, description: string) => (
    <TextInput
      label={label}
      description={description}
      placeholder={original?.[name]}
      maxLength={1000}
      value={value[name] ?? ''}
      onChange={({ currentTarget: { value: to } }) =>
        onChange(withOptional(value, name, to === '' && original ? undefined : to))
      }
      error={wrong(name)}
    />
  );
  const source = (name: 'body' | 'text', label: string, text: string) => (
    <SourceInput
      label={label}
      minRows={name === 'text' || kind === 'sms' ? 4 : 14}
      maxLength={204_800}
      value={text}
      onChange={(to) => onChange({ ...value, [name]: to })}
      problems={problems.flatMap((one) =>
        one.field === field + name
          ? { message: one.message, offset: offsetAt(text, one.line ?? 1, one.column ?? 1) }
          : [],
      )}
    />
  );
  const { body, text } = value;
  return (
    <Stack>
      {isMail && line('subject', 'Subject', 'What is within {{ }} is filled in for each customer.')}
      {isMail && line('preheader', 'Preheader', 'What an inbox shows beside the subject.')}
      {original && (
        <Checkbox
          label="Another body in this language"
          checked={body !== undefined}
          onChange={({ currentTarget: { checked } }) =>
            onChange(withOptional(value, 'body', checked ? original.body : undefined))
          }
        />
      )}
      {typeof body === 'string' && source('body', BODY_WORDS[kind], body)}
      {body !== undefined && typeof body !== 'string' && (
        <BlocksField
          value={body}
          field={`${field}body`}
          problems={problems}
          onChange={(to) => onChange({ ...value, body: to })}
        />
      )}
      {isMail && (
        <Checkbox
          label={original ? 'Another text part in this language' : 'Write the text part by hand'}
          description="For readers without HTML; otherwise it is made of the body."
          checked={typeof text === 'string'}
          onChange={({ currentTarget: { checked } }) =>
            onChange(withOptional(value, 'text', checked ? (original?.text ?? '') : original ? undefined : null))
          }
        />
      )}
      {isMail && typeof text === 'string' && source('text', 'Text part', text)}
    </Stack>
  );
}

const BODY_WORDS: Readonly<Record<TemplateDraft['kind'], string>> = {
  blocks: 'Body',
  mjml: 'Body, in MJML',
  html: 'Body, in HTML',
  sms: 'Text',
};
