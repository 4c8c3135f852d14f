import { temporaryFolder } from '../support/process.ts';
import { CLUSTER_FAULTS, REDIS_FAULTS } from './faults.ts';
import { Stage } from './stage.ts';
import { itSurvives } from './survival.ts';

describe('A service under load whose Redis fails', () => {
  itSurvives(REDIS_FAULTS, async (test) => Stage.open(test, await temporaryFolder()));
});

describe('A service under load whose Redis Cluster fails in part', () => {
  itSurvives(CLUSTER_FAULTS, async (test) => Stage.open(test, await temporaryFolder(), { withCluster: true }));
});
