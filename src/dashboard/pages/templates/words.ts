import type { TemplateStatus } from '../../../client/index.ts';
import type { TemplateDraft } from '../../definitions.ts';

export const STATUS_COLORS: Readonly<Record<TemplateStatus, string>> = {
  draft: 'gray',
  published: 'green',
  archived: 'gray',
};

export const KIND_WORDS: Readonly<Record<TemplateDraft['kind'], string>> = {
  blocks: 'E-mail, of blocks',
  mjml: 'E-mail, in MJML',
  html: 'E-mail, in HTML',
  sms: 'Text message',
};

export const USE_WORDS: Readonly<Record<TemplateDraft['use'], string>> = {
  message: 'Message',
  layout: 'Layout',
  snippet: 'Snippet',
};

export const CLASS_WORDS: Readonly<Record<TemplateDraft['class'], string>> = {
  marketing: 'Marketing',
  transactional: 'Transactional',
};
