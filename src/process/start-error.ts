/** A command could not start, for a reason that whoever starts it can do something about: the message says what. */
export class StartError extends Error {}
