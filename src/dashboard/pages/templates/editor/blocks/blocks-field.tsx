import { Accordion, Fieldset, Select, Stack } from '@mantine/core';
import type { TemplateProblem } from '../../../../../client/index.ts';
import { withOptional } from '../../../../components/with-optional.ts';
import type { TemplateBlocks } from '../../../../definitions.ts';
import { BlockList } from './block-list.tsx';
import { DARK_FIELDS, FONTS, STYLE_FIELDS } from './block-types.ts';
import { Fields } from './fields.tsx';

type Style = NonNullable<TemplateBlocks['style']>;

/** An e-mail as blocks, and how all of them look. */
export function BlocksField({
  value,
  field,
  problems,
  onChange,
}: {
  value: TemplateBlocks;
  /** Its place in the draft, as `body`. */
  field: string;
  problems: readonly TemplateProblem[];
  onChange: (value: TemplateBlocks) => void;
}) {
  const { style = {}, blocks } = value;
  const restyle = (changed: Style) => onChange(withOptional(value, 'style', orNothing(changed)));
  return (
    <Stack gap="sm">
      <BlockList
        label="Blocks"
        blocks={blocks}
        field={`${field}.blocks`}
        problems={problems}
        onChange={(changed) => onChange({ ...value, blocks: changed })}
      />
      <Accordion variant="contained">
        <Accordion.Item value="look">
          <Accordion.Control>How all of it looks</Accordion.Control>
          <Accordion.Panel>
            <Stack gap="sm">
              <Select
                label="Font"
                placeholder="arial"
                data={[...FONTS]}
                clearable
                value={style.font ?? null}
                onChange={(font) => restyle(withOptional(style, 'font', (font ?? undefined) as Style['font']))}
              />
              <Fields fields={STYLE_FIELDS} value={style} onChange={restyle} />
              <Fieldset legend="For readers who prefer it dark">
                <Fields
                  fields={DARK_FIELDS}
                  value={style.dark ?? {}}
                  onChange={(dark) => restyle(withOptional(style, 'dark', orNothing(dark)))}
                />
              </Fieldset>
            </Stack>
          </Accordion.Panel>
        </Accordion.Item>
      </Accordion>
    </Stack>
  );
}

const orNothing = <Of extends object>(object: Of): Of | undefined =>
  Object.keys(object).length === 0 ? undefined : object;
