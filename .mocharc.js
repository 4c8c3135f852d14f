export default {
  extension: ['test.ts'],
  recursive: true,
  // Packages with tests of their own.
  ignore: ['test/client/more-generators/**', ...(process.env.CI && !process.env.CITUS_URL ? ['test/citus/**'] : [])],
  require: ['test/support/fixtures.ts'],
  reporter: 'test/support/reporter.ts',
  // Nothing is judged by how long it takes: this only ends what hangs.
  timeout: 600_000,
  slow: 2_000,
  'forbid-only': true,
  // In CI, on a machine that others may load, a test that fails is tried once more; the end of the run names it.
  retries: process.env.CI ? 1 : 0,
  // In CI everything runs, but for what needs a Citus cluster where there is none: `.ci/run` warns of that.
  'forbid-pending': Boolean(process.env.CI),
};
