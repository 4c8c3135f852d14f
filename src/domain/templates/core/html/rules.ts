/** Elements that no mail program shows, that load or send something, or that programs read differently. */
const REFUSED = new Set(
  'applet base embed form frame frameset iframe math noembed noframes noscript object plaintext portal script select svg template textarea xmp'.split(
    ' ',
  ),
);

export const isRefused = (element: string): boolean => REFUSED.has(element);

/** Elements whose text is not HTML: Liquid stands in a title, and not in a style sheet. */
export const TEXT_ONLY: ReadonlySet<string> = new Set(['title', 'style']);

/** Attributes with a URL. */
export const URL_ATTRIBUTES: ReadonlySet<string> = new Set(
  'action background cite data formaction href longdesc lowsrc poster src xlink:href'.split(' '),
);

/** Attributes with something else than a text: several URLs, or the meaning of others. */
const WITHOUT_LIQUID = new Set('http-equiv is manifest ping slot srcdoc srcset'.split(' '));

export function takesLiquid(element: string, attribute: string): boolean {
  return !WITHOUT_LIQUID.has(attribute) && !(element === 'link' || element === 'meta');
}

/** What runs a script. */
export const isHandler = (attribute: string): boolean => attribute.startsWith('on');
