import { expect } from 'chai';
import { Browser, invitationTo, PASSWORD, signedIn } from '../support/people.ts';
import { runScript } from '../support/process.ts';
import { TestService } from '../support/service.ts';

const NEXT = 'another way to the sea';

describe('The people command', () => {
  let service: TestService;

  before(async () => {
    service = await TestService.start();
  });
  after(() => service?.stop());

  const people = (...args: string[]) => runScript('people.ts', args, { DATABASE_URL: service.database.url });
  const json = async (...args: string[]) => {
    const { code, stdout, stderr } = await people(...args, '--json');
    expect([code, stderr]).to.deep.equal([0, '']);
    return JSON.parse(stdout);
  };
  const refused = async (...args: string[]) => {
    const { code, stderr } = await people(...args);
    expect(code).to.equal(1);
    return stderr;
  };

  it('makes links for owners, lists those that are open, and revokes one', async () => {
    const { link } = await json('invite', '--owner');
    const { links } = await json('links');
    expect(links).to.have.length(1);
    expect(links[0]).to.deep.include({ store: 'default' });
    expect(JSON.stringify(links)).not.to.contain(link.split('#')[1]);
    await json('revoke', '--link', links[0].id);
    expect(await refused('revoke', '--link', links[0].id)).to.contain('There is no such open link');
    const token = link.split('#')[1];
    const browser = new Browser(service.url);
    expect((await browser.send('POST', '/dashboard/invitation', { token })).status).to.equal(404);
    expect((await people('links')).stdout).to.equal('No link is open\n');
  });

  it('makes a link for a new password, of whoever is in several stores too, and takes a second factor away', async () => {
    const storeId = await service.newStore();
    const ada = await signedIn(service, storeId, 'owner', 'ada@example.com');
    const other = await invitationTo(service, await service.newStore(), 'analyst', 'ada@example.com');
    expect((await ada.accept(other, {})).status).to.equal(204);
    const { id } = (await ada.send('GET', '/v1/session')).body;
    await service.database.query(`insert into second_factor values ('${id}', 'sealed', 0, now(), now())`);
    const { link } = await json('reset', '--email', 'ADA@example.com');
    const token = link.split('#')[1];
    const chosen = await new Browser(service.url).send('POST', '/dashboard/reset/password', { token, password: NEXT });
    expect(chosen.status).to.equal(204);
    expect((await new Browser(service.url).signIn('ada@example.com', PASSWORD)).status).to.equal(401);
    // The second factor stays.
    expect((await new Browser(service.url).signIn('ada@example.com', NEXT)).body).to.deep.equal({
      second_factor: true,
    });
    await json('reset', '--email', 'ada@example.com', '--second-factor');
    expect((await new Browser(service.url).signIn('ada@example.com', NEXT)).status).to.equal(204);
    expect(await refused('reset', '--email', 'nobody@example.com')).to.contain('Nobody has');
    expect(await refused('reset')).to.contain('Usage');
  });
});
