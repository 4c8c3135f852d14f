import { compileContent } from '../../templates/core/compile-content.ts';
import type { CompiledTemplate } from '../../templates/core/compiled.ts';

const SUBJECT = 'Please confirm that you want news from {{ store.name }}';
const HTML = `<!doctype html>
<html lang="en">
<body style="font-family:sans-serif">
<p>Somebody, probably you, has asked for news by e-mail from {{ store.name }} to this address.</p>
<p><a href="{{ data.confirm_url }}">Yes, send me news</a></p>
<p>If that was not you, do nothing, and you get none. The link works for seven days.</p>
</body>
</html>
`;

let text: CompiledTemplate | undefined;

/** What customers are asked by to confirm that they subscribe to a list, where the list has no template for that. */
export function confirmationText(): CompiledTemplate {
  text ??= compile();
  return text;
}

function compile(): CompiledTemplate {
  const { content } = compileContent(
    { channel: 'email', subject: SUBJECT, preheader: '', html: HTML, text: null },
    { class: 'transactional', fields: { subject: 'subject', preheader: 'preheader', html: 'body', text: 'text' } },
  );
  if (!content) throw new Error('The text of confirmations is no template');
  return { format: 1, reads: [], locale: 'en', contents: { en: content } };
}
