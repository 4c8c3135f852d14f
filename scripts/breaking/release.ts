import { spawnSync } from 'node:child_process';

/** Runs git in the working directory; undefined if it fails. */
function git(...args: string[]): string | undefined {
  const { status, stdout } = spawnSync('git', args, { encoding: 'utf8', maxBuffer: 100_000_000 });
  return status === 0 ? stdout.trim() : undefined;
}

/** Returns the first tag of a release, as opposed to a pre-release such as `v1.2.3-rc.1`. */
function firstRelease(tags: string | undefined): string | undefined {
  return /^(?:.*refs\/tags\/)?(v\d+\.\d+\.\d+)$/m.exec(tags ?? '')?.[1];
}

/**
 * Returns the tag of the last release, `v1.2.3`; undefined if there is none. CI's shallow clones have no tags: there it
 * is fetched.
 */
export function lastRelease(): string | undefined {
  const local = firstRelease(git('tag', '--list', '--sort=-version:refname'));
  if (local || git('rev-parse', '--is-shallow-repository') !== 'true') return local;
  const remote = firstRelease(git('ls-remote', '--tags', '--refs', '--sort=-version:refname', 'origin'));
  if (remote && git('fetch', '--quiet', '--depth=1', '--no-tags', 'origin', 'tag', remote) === undefined) {
    throw new Error(`This clone is shallow, and the tag ${remote} can't be fetched`);
  }
  return remote;
}

/** Returns a file as it was at a tag; undefined if it did not exist. */
export function fileAt(tag: string, path: string): string | undefined {
  return git('show', `${tag}:${path}`);
}
