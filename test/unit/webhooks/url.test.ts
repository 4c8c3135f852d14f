import { expect } from 'chai';
import { Networks } from '../../../src/domain/webhooks/endpoints/networks.ts';
import { problemOfUrl } from '../../../src/domain/webhooks/endpoints/url.ts';
import { isNetwork } from '../../../src/process/networks.ts';

const PRIVATE = 'must not lead to a private or reserved address';

describe('The address of a receiver', () => {
  const problem = (url: string, allowHttp = false, excepted: string[] = []) =>
    problemOfUrl(url, { allowHttp, networks: new Networks(excepted) });

  it('may be public, by name or literally', () => {
    const fine = [
      'https://shop.example/hooks?source=footfall',
      'https://shop.example.:8443/',
      'https://münchen.example/',
      'https://8.8.8.8/',
      'https://[2606:4700:4700::1111]/',
    ];
    for (const url of fine) expect(problem(url), url).to.equal(undefined);
  });

  it('is not private or reserved, in any notation', () => {
    const hosts = [
      'localhost',
      'LOCALHOST.',
      'api.localhost',
      '127.0.0.1',
      '127.1',
      '2130706433',
      '0x7f.1',
      '0177.0.0.1',
      '%31%32%37.0.0.1',
      '127.0.0.1.',
      '①②⑦.0.0.1',
      '0.0.0.0',
      '10.1.2.3',
      '100.64.0.1',
      '168.63.129.16',
      '169.254.169.254',
      '172.31.255.255',
      '192.168.0.1',
      '192.0.0.192',
      '198.19.0.1',
      '224.0.0.1',
      '255.255.255.255',
      '[::]',
      '[::1]',
      '[::127.0.0.1]',
      '[::ffff:10.0.0.1]',
      '[::ffff:8.8.8.8]',
      '[64:ff9b::a00:1]',
      '[64:ff9b:1::1]',
      '[2002:a00:1::]',
      '[2001:0:1::1]',
      '[2001:db8::1]',
      '[100::1]',
      '[fc00::1]',
      '[fd00:ec2::254]',
      '[fe80::1]',
      '[ff02::1]',
    ];
    for (const host of hosts) expect(problem(`https://${host}/`), host).to.equal(PRIVATE);
  });

  it('is https with a host, and no user information', () => {
    const https = 'must begin with https://';
    const cases: [string, string][] = [
      ['http://shop.example/', https],
      ['javascript:alert(1)', https],
      ['file:///etc/passwd', https],
      ['ftp://shop.example/', https],
      ['shop.example', 'must be a URL'],
      ['https://', 'must be a URL'],
      ['https://[fe80::1%25eth0]/', 'must be a URL'],
      ['https://1.2.3.256/', 'must be a URL'],
      ['https://user@shop.example/', 'must have no user name and password: deliveries are signed instead'],
      ['https://:secret@shop.example/', 'must have no user name and password: deliveries are signed instead'],
      ['https://shop.example:0/', 'must have a port other than 0'],
      [`https://shop.example/${'字'.repeat(1_000)}`, 'must have no more than 8192 characters in its ASCII form'],
      ['https://sh,op.example/', 'must have the name of a host'],
      ['https://shop.example/a\nb', 'must have no line breaks and no tabs'],
    ];
    for (const [url, expected] of cases) expect(problem(url), url).to.equal(expected);
    expect(problem('http://shop.example/', true)).to.equal(undefined);
    expect(problem('ftp://shop.example/', true)).to.equal('must begin with https:// or http://');
  });

  it('may be in a network that the operator excepts', () => {
    const excepted = ['127.0.0.0/8', 'fd00:1::/32', '64:ff9b::/96'];
    for (const host of ['127.0.0.1', '[fd00:1::5]', '[64:ff9b::808:808]']) {
      expect(problem(`https://${host}/`, false, excepted), host).to.equal(undefined);
    }
    expect(problem('https://localhost/', false, excepted)).to.equal(undefined);
    for (const host of ['10.0.0.1', '[fd00:2::1]', '[::1]']) {
      expect(problem(`https://${host}/`, false, excepted), host).to.equal(PRIVATE);
    }
  });

  it('knows what a network is', () => {
    for (const text of ['10.0.0.0/8', '::1/128', '10.1.2.3/32', '0.0.0.0/0'])
      expect(isNetwork(text), text).to.equal(true);
    for (const text of ['10.0.0.0', '10.0.0.0/33', '::/129', 'host/8', '10.1/16', '/8', 'fe80::1%lo/64', '1.2.3.4/']) {
      expect(isNetwork(text), text).to.equal(false);
    }
  });
});
