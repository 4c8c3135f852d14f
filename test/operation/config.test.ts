import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { ConfigError, readConfig } from '../../src/config.ts';
import { ServiceProcess } from '../support/process.ts';
import { settingNames } from '../support/settings.ts';

const ROOT = join(import.meta.dirname, '../..');

describe('The configuration', () => {
  it('has a default for everything, even if a setting is empty', () => {
    const defaults = readConfig({});
    expect(defaults).to.include({ host: '127.0.0.1', port: 3000, dataDir: '.data', logLevel: 'info' });
    expect(defaults.rateLimitTiers).to.deep.equal(
      new Map([
        ['standard', 700],
        ['high_volume', 1400],
        ['partner', 3500],
      ]),
    );
    expect(readConfig({ PORT: '', DATABASE_URL: ' ', REDIS_URL: '', RATE_LIMIT_TIERS: '' })).to.deep.equal(defaults);
  });

  it('reports every invalid value in one message without secrets, and stops the start', async () => {
    const env = {
      PORT: '70000',
      DATABASE_URL: 'mysql://root:secret@db/x',
      DATABASE_TIMEOUT: '0.1',
      REDIS_URL: 'localhost',
      RATE_LIMIT_TIERS: 'gold=1000,silver',
      COMPAT_AUTH_SCHEMES: 'Api-Key, a b',
      COMPAT_HOSTS: 'a.klaviyo.com, localhost:3000,https://x.example,-a.example',
      COMPAT_LISTS: '1',
      WEBHOOK_ALLOWED_NETWORKS: '10.0.0.0/8, 10.1.2.3,::1/129',
      WEBHOOK_ALLOW_HTTP: 'yes',
      SECRET_KEY: 'short, short',
      PUBLIC_URL: 'https://shop.example/?x',
      SMTP_URL: 'smtp://user:secret%zz@mail.shop.example',
      TRUST_PROXY: 'yes',
      METRICS_TOKEN: 'too secret',
      LOG_LEVEL: 'loud',
    };
    const { code, stdout, stderr } = await new ServiceProcess(env).ended;
    expect([code, stdout]).to.deep.equal([1, '']);
    expect(stderr).to.equal(`Bad configuration:
  PORT must be a whole number from 0 to 65535, not "70000"
  DATABASE_URL must be a URL that starts with postgres:// or postgresql://
  DATABASE_TIMEOUT must be a number of seconds from 3 to 20, not "0.1"
  REDIS_URL must be a URL that starts with redis:// or rediss://
  RATE_LIMIT_TIERS must be a list like "standard=700,high_volume=1400,partner=3500"; "silver" is not tier=requests
  RATE_LIMIT_TIERS must give a limit for the tier "standard"
  COMPAT_AUTH_SCHEMES must list scheme words; "a b" is not one
  COMPAT_HOSTS must list host names, without scheme, port or path; "localhost:3000" is not one
  COMPAT_HOSTS must list host names, without scheme, port or path; "https://x.example" is not one
  COMPAT_HOSTS must list host names, without scheme, port or path; "-a.example" is not one
  COMPAT_LISTS must be one of true, false, not "1"
  WEBHOOK_ALLOWED_NETWORKS must list networks like 10.1.0.0/16; "10.1.2.3" is not one
  WEBHOOK_ALLOWED_NETWORKS must list networks like 10.1.0.0/16; "::1/129" is not one
  WEBHOOK_ALLOW_HTTP must be a whole number from 0 to 1, not "yes"
  SECRET_KEY must list keys of 32 characters or more
  SECRET_KEY must not list a key twice
  PUBLIC_URL must have no user name, password, query or fragment
  SMTP_URL must be like smtps://user:password@host:465, with % before what is not plain
  TRUST_PROXY must be a whole number from 0 to 10, not "yes"
  METRICS_TOKEN must be at least 16 letters, digits and any of ._~+/-
  LOG_LEVEL must be one of fatal, error, warn, info, debug, trace, silent, not "loud"
`);
    expect(() => readConfig(env)).to.throw(ConfigError);
  });

  it('takes the addresses of a Redis Cluster, and reports all that are wrong without their secrets', () => {
    const urls = (REDIS_URL: string) => readConfig({ REDIS_URL }).redisUrls;
    expect(urls('redis://:a,b@one/3')).to.deep.equal(['redis://:a,b@one/3']);
    const nodes = ['rediss://u:secret@a:7000', 'rediss://u:secret@[::1]:7001', 'rediss://u:secret@c'];
    expect(urls(` ${nodes.join(', ')},`)).to.deep.equal(nodes);
    const problem = (value: string) => {
      try {
        return urls(value);
      } catch (error) {
        return (error as Error).message.split('\n  ')[1];
      }
    };
    const list = 'REDIS_URL must list URLs that start with redis:// or rediss://, separated by commas; wrong:';
    expect(problem('redis://a:7000,b:7000,redis://:secret@c:x,redis://d')).to.equal(`${list} number 2, 3`);
    expect(problem('redis://a,b')).to.equal(`${list} number 2`);
    for (const other of ['redis://u:secret@b', 'rediss://u:other@b', 'rediss://b']) {
      expect(problem(`rediss://u:secret@a,${other}`)).to.equal(
        'REDIS_URL must have the same scheme, user and password in each of its addresses',
      );
    }
    expect(problem('redis://a/1,redis://b/1')).to.equal(
      'REDIS_URL must name no database in several addresses: a cluster has none but 0',
    );
    for (const value of ['redis://a/x', 'redis://u:%zz@a']) {
      expect(problem(value)).to.equal('REDIS_URL must be a URL that starts with redis:// or rediss://');
    }
  });

  it('takes host names in any case', () => {
    expect(readConfig({ COMPAT_HOSTS: 'A.Klaviyo.com , shop.example' }).compatHosts).to.deep.equal([
      'a.klaviyo.com',
      'shop.example',
    ]);
    expect(readConfig({}).compatHosts).to.deep.equal([]);
  });

  it('is documented in the README, with every default', () => {
    const names = settingNames();
    const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
    const documented = [...readme.matchAll(/^\| `([A-Z_]+)` \|/gm)].map(([, name]) => name);
    expect(names).to.have.length.above(8);
    expect(names.sort()).to.deep.equal(documented.sort());
  });
});
