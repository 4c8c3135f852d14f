import { temporaryFolder } from '../support/process.ts';
import { canMount, mountSmallDisk, type SmallDisk } from '../support/small-disk.ts';
import { fullDisk, SERVICE_FAULTS } from './faults.ts';
import { Stage } from './stage.ts';
import { itSurvives } from './survival.ts';

const DISK_MB = 512;

describe('A service under load that fails', () => {
  itSurvives(SERVICE_FAULTS, async (test) => Stage.open(test, await temporaryFolder()));
});

// Where disks can't be mounted, the kernel offers no other way to fill one without harm to others.
if (canMount()) {
  describe('A service under load whose disk is full', () => {
    let disk: SmallDisk;

    itSurvives([fullDisk(() => disk)], async (test) => {
      disk = await mountSmallDisk(DISK_MB);
      return Stage.open(test, disk);
    });
  });
}
