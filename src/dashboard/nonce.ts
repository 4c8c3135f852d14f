import { setNonce } from 'get-nonce';

/** The nonce that the service gave this page, for the styles that libraries add to it: the policy admits no others. */
export const STYLE_NONCE = document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce ?? '';

// The library that keeps the page from scrolling under a dialog asks there.
setNonce(STYLE_NONCE);
