import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { SystemNames } from '../../src/outbound/system-names.ts';

describe('Names that the machine knows by itself', () => {
  let folder: string;
  const namesOf = async (hosts: string, resolver: string) => {
    const files = { hosts: join(folder, 'hosts'), resolver: join(folder, 'resolv.conf') };
    await writeFile(files.hosts, hosts);
    await writeFile(files.resolver, resolver);
    return new SystemNames(files);
  };

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'footfall-names-'));
  });
  after(() => rm(folder, { recursive: true }));

  it('have the addresses of the file of hosts', async () => {
    const names = await namesOf(
      '# ours\n10.1.2.3\tMailer mailer.shop # both\n10.1.2.4 mailer\nnonsense x\nfd00::1 six',
      '',
    );
    expect(await names.addressesOf('mailer')).to.deep.equal([
      { address: '10.1.2.3', family: 4 },
      { address: '10.1.2.4', family: 4 },
    ]);
    expect(await names.addressesOf('mailer.shop')).to.have.length(1);
    expect(await names.addressesOf('six')).to.deep.equal([{ address: 'fd00::1', family: 6 }]);
    expect(await names.addressesOf('x')).to.deep.equal([]);
  });

  it('are looked up in the domains of the machine, the short ones first', async () => {
    const names = await namesOf(
      '',
      'nameserver 10.0.0.10\nsearch shop.svc.cluster.local svc.cluster.local.\noptions ndots:5\n',
    );
    expect(await names.candidatesFor('mailer')).to.deep.equal([
      'mailer.shop.svc.cluster.local',
      'mailer.svc.cluster.local',
      'mailer',
    ]);
    expect((await names.candidatesFor('mailer.shop'))[0]).to.equal('mailer.shop');
    expect(await names.candidatesFor('mailer.shop.example.')).to.deep.equal(['mailer.shop.example.']);
  });

  it('are none where there are no such files, but for the machine itself', async () => {
    const names = new SystemNames({ hosts: join(folder, 'none'), resolver: join(folder, 'none') });
    expect(await names.addressesOf('mailer')).to.deep.equal([]);
    expect(await names.candidatesFor('mailer')).to.deep.equal(['mailer']);
    expect((await names.addressesOf('localhost')).map(({ address }) => address)).to.deep.equal(['127.0.0.1', '::1']);
  });
});
