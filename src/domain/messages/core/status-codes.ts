/**
 * Enhanced status codes (RFC 3463) of an address that there is not: no mailbox, a bad address, one that has moved or is
 * disabled, a domain that takes no mail or that nobody knows. It is the code that counts, not the words beside it, nor what a
 * provider calls it.
 */
export const NO_MAILBOX = /^5\.(?:1\.[1-36]|1\.10|2\.1|4\.4)$/;

/** What is wrong with the sender, or with what is thought of it: no fault of the address. */
export const ABOUT_SENDER = /^[45]\.(?:7\.\d+|1\.[78])$/;

/** What is wrong with the message: it is too large, or the receiver can't read it. */
export const ABOUT_MESSAGE = /^[45]\.(?:2\.3|3\.4|6\.\d+)$/;
