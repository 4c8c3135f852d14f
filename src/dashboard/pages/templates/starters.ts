import type { TemplateDraft } from '../../definitions.ts';

type Body = TemplateDraft['body'];

const FOOTER = '{{ store.name }}<br />{{ store.postal_address }}<br /><a href="{{ unsubscribe_url }}">Unsubscribe</a>';

/** What a new template says until somebody writes it; it reads nothing of customers and could be published. */
export function starter(kind: TemplateDraft['kind'], use: TemplateDraft['use']): Body {
  switch (kind) {
    case 'blocks':
      return {
        blocks: [
          { type: 'heading', text: 'Hello', level: 1 },
          { type: 'text', text: 'What we wanted to tell you.' },
          { type: 'footer' },
        ],
      };
    case 'mjml':
      return MJML[use];
    case 'html':
      return HTML[use];
    case 'sms':
      return use === 'layout' ? '{{ content }}' : 'Hello';
  }
}

const HTML: Readonly<Record<TemplateDraft['use'], string>> = {
  message: `<h1>Hello</h1>\n<p>What we wanted to tell you.</p>\n<p>${FOOTER}</p>\n`,
  layout: `<main>\n  {{ content }}\n</main>\n<p>${FOOTER}</p>\n`,
  snippet: '<p>{{ store.name }}</p>\n',
};

const MJML: Readonly<Record<TemplateDraft['use'], string>> = {
  message: mjml(`<mj-text>Hello</mj-text>\n        <mj-text>${FOOTER}</mj-text>`),
  layout: [
    '<mjml>',
    '  <mj-body>',
    '    {{ content }}',
    `    <mj-section><mj-column><mj-text>${FOOTER}</mj-text></mj-column></mj-section>`,
    '  </mj-body>',
    '</mjml>',
    '',
  ].join('\n'),
  snippet: '<mj-text>{{ store.name }}</mj-text>\n',
};

function mjml(content: string): string {
  return [
    '<mjml>',
    '  <mj-body>',
    '    <mj-section>',
    '      <mj-column>',
    `        ${content}`,
    '      </mj-column>',
    '    </mj-section>',
    '  </mj-body>',
    '</mjml>',
    '',
  ].join('\n');
}
