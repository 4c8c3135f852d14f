import { spawnSync } from 'node:child_process';

/** Runs git in the working directory; undefined where it fails. */
function git(...args: string[]): string | undefined {
  const { status, stdout } = spawnSync('git', args, { encoding: 'utf8', maxBuffer: 100_000_000 });
  return status === 0 ? stdout.trim() : undefined;
}

/** The first of some tags that is a release, rather than what comes before one, such as `v1.2.3-rc.1`. */
function firstRelease(tags: string | undefined): string | undefined {
  return /^(?:.*refs\/tags\/)?(v\d+\.\d+\.\d+)$/m.exec(tags ?? '')?.[1];
}

/**
 * The tag of the last release, `v1.2.3`; undefined where there is none. A shallow clone, as CI makes them, has no tags:
 * there it is fetched.
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

/** A file as it was at a tag; undefined where it was not there. */
export function fileAt(tag: string, path: string): string | undefined {
  return git('show', `${tag}:${path}`);
}
