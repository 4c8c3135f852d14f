import { Radio, Stack, TagsInput, TextInput } from '@mantine/core';
import type { TemplateDraft } from '../../../definitions.ts';
import { TemplateSelect } from '../template-select.tsx';

/** What a template is called, what its messages are, and what they need. */
export function SettingsFields({
  draft,
  onChange,
}: {
  draft: TemplateDraft;
  onChange: (draft: TemplateDraft) => void;
}) {
  const { name, use, locale, required, kind } = draft;
  // Around blocks stands one of MJML, around all else one of the same kind.
  const ofLayout = kind === 'blocks' ? 'mjml' : kind;
  return (
    <Stack>
      <TextInput
        label="Name"
        required
        maxLength={100}
        value={name}
        onChange={({ currentTarget }) => onChange({ ...draft, name: currentTarget.value })}
      />
      {use === 'message' && (
        <>
          <Radio.Group
            label="Its messages are"
            value={draft.class}
            onChange={(value) => onChange({ ...draft, class: value as TemplateDraft['class'] })}
          >
            <Stack gap="xs" mt="xs">
              <Radio
                value="marketing"
                label="Marketing"
                description="Sent to those who have consented, with a way to unsubscribe."
              />
              <Radio
                value="transactional"
                label="Transactional"
                description="What customers have caused themselves, such as a receipt; sent without consent."
              />
            </Stack>
          </Radio.Group>
          <TemplateSelect
            label="Layout around it"
            placeholder="None"
            fits={(one) => one.use === 'layout' && one.kind === ofLayout && one.status !== 'archived'}
            value={draft.layout_id ?? ''}
            onChange={(id) => onChange({ ...draft, layout_id: id || null })}
            clearable
          />
        </>
      )}
      <TextInput
        label="Language"
        description="That of the content, as en or pt-BR."
        maxLength={35}
        value={locale}
        onChange={({ currentTarget }) => onChange({ ...draft, locale: currentTarget.value })}
      />
      {use === 'message' && (
        <TagsInput
          label="Values that it requires"
          description="Such as event.properties.order_id: without one, the message is not sent."
          value={required}
          maxTags={50}
          onChange={(paths) => onChange({ ...draft, required: paths })}
        />
      )}
    </Stack>
  );
}
