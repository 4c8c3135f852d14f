import { temporaryFolder } from '../support/process.ts';
import { POSTGRES_FAULTS } from './faults.ts';
import { Stage } from './stage.ts';
import { itSurvives } from './survival.ts';

describe('A service under load whose Postgres fails', () => {
  itSurvives(POSTGRES_FAULTS, async (test) => Stage.open(test, await temporaryFolder()));
});
