import { buildDashboard } from '../../scripts/build-dashboard.ts';

/** Makes sure that services of this test run have a dashboard to serve. Call it in `describe`, before they start. */
export function useDashboard(): void {
  before(async function () {
    this.timeout(120_000);
    await buildDashboard();
  });
}
