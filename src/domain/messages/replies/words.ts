/** What somebody wants who answers a text message with a word that phone companies have agreed upon, or one like it. */
export type ReplyWord = 'stop' | 'start' | 'help';

const WORDS: Readonly<Record<ReplyWord, ReadonlySet<string>>> = {
  stop: setOf(`STOP STOPALL UNSUBSCRIBE CANCEL END QUIT OPTOUT REVOKE
    STOPP ABMELDEN ABBESTELLEN ARRET ARRETER DESABONNER BAJA PARAR CANCELAR FERMA DISISCRIVIMI STOPPEN AFMELDEN SAIR
    AVSLUTA AFMELD СТОП`),
  start: setOf('START UNSTOP'),
  help: setOf('HELP INFO HILFE AIDE AYUDA AIUTO AJUDA'),
};

/** Returns what a text says if it is such a word and nothing else, whatever its case, accents, spaces and punctuation. */
export function wordIn(text: string): ReplyWord | undefined {
  // No word is nearly as long.
  if (text.length > 100) return undefined;
  const letters = text
    .normalize('NFKD')
    .toUpperCase()
    .replace(/[^\p{L}]/gu, '');
  return (['stop', 'start', 'help'] as const).find((word) => WORDS[word].has(letters));
}

function setOf(words: string): ReadonlySet<string> {
  return new Set(words.split(/\s+/));
}
