/** What a draft of a template is where a creation does not say; a change of it has to say all. */
export const USUAL_DRAFT = {
  use: 'message',
  class: 'marketing',
  layout_id: null,
  locale: 'en',
  subject: '',
  preheader: '',
  text: null,
  translations: {},
  required: [],
};
