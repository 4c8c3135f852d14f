const ASCII = /^[\0-\x7f]*$/;
/** What nobody sees: default ignorable characters, the blank of Braille, marks of annotations. */
const INVISIBLE = /[\p{DI}\u2800\ufff9-\ufffb]/gu;
const VISIBLE = /[^\p{DI}\u2800\ufff9-\ufffb]/u;
/** Those that join or part the letters beside them, which words of some scripts need. */
const JOINERS = /[\u200c\u200d]/g;
const INVISIBLE_BUT_JOINERS = /[^\P{DI}\u200c\u200d]|[\u2800\ufff9-\ufffb]/gu;
const DIGIT = /\p{Nd}/u;
const DIGITS_OF_OTHER_SCRIPTS = /[^\P{Nd}0-9]/gu;

export function isAscii(text: string): boolean {
  return ASCII.test(text);
}

/** The form in which texts are compared: composed (NFC), so that it does not matter how an accent was typed. */
export function canonicalText(text: string): string {
  return ASCII.test(text) ? text : text.normalize('NFC');
}

/** The form of the name of a metric or an event type: composed, and without what is invisible. */
export function canonicalName(name: string): string {
  if (ASCII.test(name)) return name;
  const composed = name.normalize('NFC');
  return composed.replace(INVISIBLE_BUT_JOINERS, '').normalize('NFC') || composed;
}

/** Whether a text has anything but invisible characters. Blanks count as visible. */
export function isVisible(text: string): boolean {
  return VISIBLE.test(text);
}

export function withoutInvisible(text: string): string {
  return text.replace(INVISIBLE, '');
}

export function withoutInvisibleButJoiners(text: string): string {
  return text.replace(INVISIBLE_BUT_JOINERS, '');
}

export function withoutJoiners(text: string): string {
  return text.replace(JOINERS, '');
}

/** Replaces the decimal digits of any script by those of ASCII. */
export function withAsciiDigits(text: string): string {
  return text.replace(DIGITS_OF_OTHER_SCRIPTS, (digit) => {
    // Those of a script follow each other from its zero on; where two sets do, each has ten.
    const code = digit.codePointAt(0) as number;
    let before = 0;
    while (DIGIT.test(String.fromCodePoint(code - before - 1))) before += 1;
    return String(before % 10);
  });
}
