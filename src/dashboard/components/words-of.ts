/** Words for what the API calls by a name; what a later version has added is shown by that. */
export const wordsOf = (words: Readonly<Record<string, string>>, name: string): string =>
  words[name] ?? name.replaceAll('_', ' ');

/** The colour for a state; grey for one that a later version has added. */
export const colorOf = (colors: Readonly<Record<string, string>>, state: string): string => colors[state] ?? 'gray';
