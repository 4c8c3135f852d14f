/** A command could not start for a reason that its user can fix; the message explains it. */
export class StartError extends Error {}
