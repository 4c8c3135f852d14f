import { TextInput } from '@mantine/core';
import type { TemplateProblem } from '../../../../client/index.ts';
import { Several } from '../../../components/several.tsx';
import type { TemplateDraft, TemplateTranslation } from '../../../definitions.ts';
import { ContentFields } from './content-fields.tsx';

/** Languages that are offered first. */
const USUAL = ['en', 'de', 'fr', 'es', 'it', 'nl', 'pl', 'pt-BR'];
const MOST = 20;

/** What a template says in other languages. */
export function Translations({
  draft,
  problems,
  onChange,
}: {
  draft: TemplateDraft;
  problems: readonly TemplateProblem[];
  onChange: (draft: TemplateDraft) => void;
}) {
  const { translations, locale } = draft;
  return (
    <Several<[locale: string, translation: TemplateTranslation]>
      label="Language"
      items={Object.entries(translations)}
      onChange={(entries) => onChange({ ...draft, translations: Object.fromEntries(entries) })}
      add={{ 'Add a language': () => [freeLocale([locale, ...Object.keys(translations)]), {}] }}
      atMost={MOST}
      render={([name, translation], change) => (
        <>
          <TextInput
            label="Language"
            description="Such as de, or pt-BR. A customer has it in the attribute locale."
            maxLength={35}
            value={name}
            // Two of one name would be one.
            onChange={({ currentTarget: { value: to } }) => !(to in translations) && change([to, translation])}
          />
          <ContentFields
            draft={draft}
            value={translation}
            original={draft}
            field={`translations.${name}.`}
            problems={problems}
            onChange={(changed) => change([name, changed])}
          />
        </>
      )}
    />
  );
}

function freeLocale(taken: readonly string[]): string {
  return USUAL.find((one) => !taken.includes(one)) ?? '';
}
