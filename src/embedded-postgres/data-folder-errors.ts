import { StartError } from '../process/start-error.ts';

const REASONS: Record<string, string> = {
  EACCES: 'you may not write there',
  EPERM: 'you may not write there',
  EROFS: 'it is on a disk that can only be read',
  ENOSPC: 'its disk is full',
  EDQUOT: 'your share of its disk is used up',
  EEXIST: 'it is not a folder',
  ENOTDIR: 'it is not a folder',
};

/** Does some work with the data directory. Reports what the system refuses there as a configuration error. */
export async function withFolder<T>(folder: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const { code = '', syscall, path, message } = error as NodeJS.ErrnoException;
    if (syscall === undefined || path === undefined) throw error;
    throw new StartError(`DATA_DIR (${folder}) can't be used: ${REASONS[code] ?? message}.`);
  }
}
