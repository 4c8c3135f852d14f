import { expect } from 'chai';
import type { Sql } from '../../../src/db/sql.ts';
import { EndpointTurn, type SendingTools } from '../../../src/domain/webhooks/sending/endpoint-turn.ts';
import { claimTurns, Slots } from '../../../src/engine/slots.ts';
import { turns } from '../../support/turns.ts';

/** A server that answers nothing, with the statements that wait for it. */
class HangingServer {
  waiting = 0;
  readonly db = {
    transaction: () => ({
      execute: () => {
        this.waiting += 1;
        return new Promise(() => {});
      },
    }),
  } as unknown as Sql;
}

describe('The endpoints of stores on servers that hang', () => {
  it('leave slots for requests to those on other servers, however many they are', async () => {
    const tools = {
      slots: new Slots(512),
      claimTurns: claimTurns(4, (storeId) => storeId.slice(0, 1), 100),
      isStopping: () => false,
    } as unknown as SendingTools;
    const servers = new Map(['a', 'b', 'c'].map((name) => [name, new HangingServer()]));
    for (const [name, { db }] of servers) {
      for (let n = 0; n < 300; n += 1) {
        new EndpointTurn(db, `${name}${n}`, 'endpoint', tools).take().catch(() => {});
      }
    }
    await turns();
    expect([...servers.values()].map(({ waiting }) => waiting)).to.deep.equal([4, 4, 4]);
    expect(tools.slots.reserve('live', 32)).to.equal(32);
    let isServed = false;
    await tools.claimTurns.run('live', async () => {
      isServed = true;
    });
    expect(isServed).to.equal(true);
  });
});
