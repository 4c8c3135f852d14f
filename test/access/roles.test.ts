import { expect } from 'chai';
import { ROLES, type Role } from '../../src/domain/people/roles.ts';
import { forEachConcurrently } from '../support/for-each.ts';
import { type Browser, signedIn } from '../support/people.ts';
import { hasPathId, methodOf, pathWith, queryNames, UNKNOWN_ID } from '../support/samples.ts';
import { TestService } from '../support/service.ts';
import { loadSpec } from '../support/spec.ts';
import { OPERATIONS_OF_ROLES } from './roles-of-operations.ts';

/** By operation, the roles that may. */
const TABLE = new Map(
  OPERATIONS_OF_ROLES.split('\n')
    .filter((line) => /^ +\w+ +[+-]/.test(line))
    .map((line) => {
      const [operation = '', ...marks] = line.trim().split(/ +/);
      expect(marks.length, operation).to.equal(ROLES.length);
      return [operation, ROLES.filter((_role, n) => marks[n] === '+')] as const;
    }),
);

// Read from the specs, for every operation that they have, now and later. Do not skip one.
describe('Every role', () => {
  let service: TestService;
  const browsers = new Map<Role, Browser>();

  before(async () => {
    service = await TestService.start({ RATE_LIMIT_TIERS: 'standard=100000', COMPAT_LISTS: 'true', TRUST_PROXY: '1' });
    const storeId = await service.newStore();
    for (const role of ROLES) browsers.set(role, await signedIn(service, storeId, role));
  });
  after(() => service?.stop());

  type Operation = Awaited<ReturnType<typeof loadSpec>>['operations'][number];
  /** Sends what is wrong with every operation, so that nothing is done by those that may. */
  const send = (role: Role, operation: Operation) => {
    const [parameter = 'no_such_parameter'] = queryNames(operation);
    const id = hasPathId(operation) ? UNKNOWN_ID : '';
    const path = `${pathWith(operation, id)}?no_such_parameter=1&${parameter}=${'('.repeat(300)}`;
    return (browsers.get(role) as Browser).send(methodOf(operation), path, operation.requestBody && {});
  };

  it('stands in the table beside each operation of the native surface', async () => {
    const { operations } = await loadSpec('native');
    expect([...TABLE.keys()]).to.have.members(operations.map(({ operationId }) => operationId as string));
  });

  for (const role of ROLES) {
    it(`may as ${role} what the table says, and is refused the rest before that is looked at`, async () => {
      const { operations } = await loadSpec('native');
      const found: Record<string, unknown> = {};
      await forEachConcurrently(operations, async (operation) => {
        const { status } = await send(role, operation);
        expect(status, operation.operationId).to.be.oneOf([400, 403, 404]);
        found[operation.operationId as string] = status !== 403;
      });
      const expected = Object.fromEntries(Array.from(TABLE, ([id, roles]) => [id, roles.includes(role)]));
      expect(found).to.deep.equal(expected);
    });

    it(`has as ${role} nothing of the compatibility surface`, async () => {
      const { operations } = await loadSpec('compat');
      await forEachConcurrently(operations, async (operation) => {
        const { status } = await send(role, operation);
        expect(status, operation.operationId).to.equal(401);
      });
    });
  }
});
