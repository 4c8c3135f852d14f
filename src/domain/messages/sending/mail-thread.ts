import { serveTasks } from '../../../threads/serve-tasks.ts';
import { makeTaskMail, type TaskMail } from './mail-task.ts';

serveTasks(makeTaskMail, {
  charactersOf: (mail) => ('raw' in mail ? mail.raw.length : 0),
  transferOf: (mail) => ('raw' in mail ? ownBuffer(mail) : []),
});

/** A small mail shares its buffer with others. */
function ownBuffer({ raw: { buffer, byteLength } }: TaskMail): ArrayBuffer[] {
  return buffer instanceof ArrayBuffer && buffer.byteLength === byteLength ? [buffer] : [];
}
