export default {
  extension: ['test.ts'],
  recursive: true,
  // Packages with tests of their own.
  ignore: ['test/client/more-generators/**'],
  require: ['test/support/fixtures.ts'],
  timeout: 20_000,
  slow: 2_000,
  'forbid-only': true,
  // In CI everything runs.
  'forbid-pending': Boolean(process.env.CI),
};
