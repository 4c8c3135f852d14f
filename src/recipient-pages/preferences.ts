import { CHANNELS, type Channel } from '../domain/consent/consent.ts';
import type { Choice, Preferences } from '../domain/messages/preferences.ts';
import { invalid } from '../domain/service-error.ts';
import { escapeHtml } from '../domain/templates/core/escaping/escape.ts';
import type { RecipientPage } from './page.ts';

const CHANNEL_NAMES: Readonly<Record<Channel, string>> = { email: 'News by e-mail', sms: 'News by text message' };

/** The form of what a customer may choose. `title` says what was done. */
export function preferencesPage(preferences: Preferences, title = 'Your preferences'): RecipientPage {
  const { channels, isSuppressed, topics } = preferences;
  return {
    title,
    content: `<p>Choose what you get from this shop. What concerns your orders is sent in any case.</p>
${isSuppressed ? SUPPRESSED : ''}
<form method="post">
<fieldset>
<legend>How</legend>
${channels.map(({ channel, isSubscribed }) => box('channel', channel, CHANNEL_NAMES[channel], isSubscribed)).join('\n')}
</fieldset>
${topics.length > 0 ? topicFields(topics) : ''}
${languageField(preferences)}
<button>Save</button>
</form>
<form method="post">
<button name="all" value="none" class="quiet">Unsubscribe from all</button>
</form>`,
  };
}

const SUPPRESSED = `<p>Nothing is sent to your e-mail address at present, because messages came back from there or somebody did not want
them. What you choose is kept; write to the shop if you want to get messages again.</p>`;

function topicFields(topics: Preferences['topics']): string {
  return `<fieldset>
<legend>What</legend>
${topics.map(({ id, name, isIn }) => box('topic', id, name, isIn)).join('\n')}
</fieldset>`;
}

/** What is not ticked is not sent, so that which there was to tick is sent beside. */
function box(name: string, value: string, label: string, isTicked: boolean): string {
  return `<input type="hidden" name="shown" value="${value}">
<label><input type="checkbox" name="${name}" value="${value}"${isTicked ? ' checked' : ''}> ${escapeHtml(label)}</label>`;
}

function languageField({ languages, language }: Preferences): string {
  if (languages.length === 0) return '';
  const options = languages.map((one) => option(one, nameOfLanguage(one), one === language));
  if (language === undefined) options.unshift(option('', 'As it is', true));
  return `<p><label for="language">Language</label>
<select id="language" name="language">
${options.join('\n')}
</select></p>`;
}

function option(value: string, label: string, isSelected: boolean): string {
  return `<option value="${escapeHtml(value)}"${isSelected ? ' selected' : ''}>${escapeHtml(label)}</option>`;
}

/** In that language itself, for who speaks no other. */
function nameOfLanguage(locale: string): string {
  try {
    return new Intl.DisplayNames([locale], { type: 'language' }).of(locale) ?? locale;
  } catch {
    return locale;
  }
}

/** Reads what was chosen. Throws `validation_error` for a form that is not that of the page. */
export function choiceIn(form: URLSearchParams, { languages }: Preferences): Choice {
  const shown = form.getAll('shown');
  if (shown.length === 0) throw invalid({ path: ['shown'], problem: 'is required' });
  const chosen = new Set([...form.getAll('channel'), ...form.getAll('topic')]);
  const isChannel = (name: string): name is Channel => (CHANNELS as readonly string[]).includes(name);
  const language = form.get('language') || undefined;
  if (language !== undefined && !languages.includes(language)) {
    throw invalid({ path: ['language'], problem: 'must be one of those that are offered' });
  }
  return {
    channels: new Map(shown.filter(isChannel).map((name) => [name, chosen.has(name)])),
    topics: new Map(shown.filter((name) => !isChannel(name)).map((id) => [id, chosen.has(id)])),
    language,
  };
}
