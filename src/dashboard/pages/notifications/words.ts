/** Why nobody is sent mails. */
export const MAIL_PROBLEMS: Readonly<Record<string, string>> = {
  no_sender: 'No sender is chosen for them, under Settings → Notifications.',
  sender_not_ready: 'The checks of the sender that is chosen for them do not hold.',
};
