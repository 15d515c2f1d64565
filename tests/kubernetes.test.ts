import { execFile, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { commands } from '../packages/admin/src/commands/index.ts';
import { keysOf, makeKeyRing, processKinds, writeKeys } from '../packages/domain/src/entries/admin.ts';
import { problemsOfKeys, queueNames } from '../packages/domain/src/index.ts';
import { redisUsers } from '../packages/queue/src/redis-users.ts';
import { purposesOf } from '../packages/worker/src/purposes-of.ts';
import { ROOT, readStages } from './shipping/dockerfile.ts';
import { findUnknownFields, modelsOf, readManifests } from './shipping/manifests.ts';
import { settingsOf } from './shipping/settings-of.ts';

// No cluster runs here. The manifests are compared with the API's schemas and types, with each other, and with the settings that the
// processes accept.

const steps = ['migrate', 'services'] as const;
const first = readManifests('migrate');
const then = readManifests('services');
const manifests = [...first, ...then];
const deployments = modelsOf(then, 'Deployment');
const jobs = modelsOf(first, 'Job');
const pods = [...deployments, ...jobs].map(({ metadata, spec }) => {
  const [container] = spec?.template.spec?.containers ?? [];
  if (!spec?.template.spec || !container) throw new Error(`${metadata?.name} has no container`);
  return { name: metadata?.name ?? '', pod: spec.template.spec, labels: spec.template.metadata?.labels, container };
});

interface PatchedPod {
  containers: { name: string; args?: string[]; env: { name: string; value?: string }[]; volumeMounts: object[] }[];
  volumes: { name: string; persistentVolumeClaim?: { claimName: string } }[];
}
/** A deployment, or a patch of one. */
interface Patch {
  metadata: { name: string };
  spec: { template: { spec: PatchedPod } };
}

const targetOf = (image = '') => /^tidegate\/([a-z-]+):/.exec(image)?.[1] ?? '';
const queuesOf = ([flag, list = '']: readonly string[] = []) => (flag === '--queues' ? list.split(',') : []);

test('every manifest is valid for Kubernetes or KEDA, without unknown fields', async () => {
  for (const kind of new Set(manifests.map((one) => one.kind)))
    expect(modelsOf(manifests, kind).length).toBeGreaterThan(0);
  expect(await findUnknownFields(manifests)).toBe('');
  const broken = manifests.map((one) => ({
    ...one,
    value: JSON.parse(JSON.stringify(one.value).replace('readOnlyRootFilesystem', 'readOnlyRootFileSystem')),
  }));
  expect(await findUnknownFields(broken)).toContain(`'"readOnlyRootFileSystem"' does not exist`);
}, 60_000);

test('kustomize lists every file, and every image has the version of this repository', () => {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  for (const step of steps) {
    const folder = join(ROOT, 'ops/kubernetes', step);
    const { resources, images, namespace } = parse(readFileSync(join(folder, 'kustomization.yaml'), 'utf8'));
    const files = readdirSync(folder).filter((file) => file !== 'kustomization.yaml');
    expect(resources.toSorted()).toEqual(files.toSorted());
    expect(namespace).toBe('tidegate');
    for (const { newTag } of images) expect(newTag).toBe(version);
  }
  const built = readStages().map(({ name }) => name);
  for (const { name, container } of pods) {
    expect(container.image, name).toBe(`tidegate/${targetOf(container.image)}:${version}`);
    expect(built).toContain(targetOf(container.image));
  }
});

const kubectl = await promisify(execFile)('kubectl', ['version', '--client']).then(
  () => true,
  () => false,
);
test.skipIf(!kubectl).each(steps)('kubectl builds %s from its kustomization', { timeout: 60_000 }, async (step) => {
  const { stdout } = await promisify(execFile)('kubectl', ['kustomize', join(ROOT, 'ops/kubernetes', step)]);
  const manifests = stdout.split(/^---$/m).map((text) => parse(text));
  expect(manifests.map(({ kind }) => kind).toSorted()).toEqual(
    readManifests(step)
      .map(({ kind }) => kind)
      .toSorted(),
  );
  for (const { kind, metadata } of manifests) if (kind !== 'Namespace') expect(metadata.namespace).toBe('tidegate');
});

test('every container is read-only, without privileges, limited in resources, and has the time to finish its work', () => {
  for (const { name, pod, container } of pods) {
    expect(pod, name).toMatchObject({
      automountServiceAccountToken: false,
      shareProcessNamespace: true,
      securityContext: { runAsNonRoot: true, runAsUser: 1000, seccompProfile: { type: 'RuntimeDefault' } },
    });
    expect(container.securityContext, name).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
    expect(container.resources, name).toMatchObject({ requests: { cpu: /m$/ }, limits: { memory: /Mi$/ } });
    expect(pod.terminationGracePeriodSeconds, name).toBeGreaterThan(25);
  }
});

test('every service has probes, survives a drained node, and keeps its replicas during a rollout', () => {
  const budgets = modelsOf(then, 'PodDisruptionBudget').map(({ spec }) => spec?.selector?.matchLabels);
  for (const { metadata, spec } of deployments) {
    const [container] = spec?.template.spec?.containers ?? [];
    const http = (path: string) => ({ httpGet: { path, port: 'http' } });
    expect(container, metadata?.name).toMatchObject({
      startupProbe: http('/healthz'),
      readinessProbe: http('/readyz'),
      livenessProbe: http('/healthz'),
    });
    expect(container?.ports).toEqual([
      { name: 'http', containerPort: Number(container?.env?.find(({ name }) => name === 'PORT')?.value) },
    ]);
    expect(spec?.strategy?.rollingUpdate).toMatchObject({ maxUnavailable: 0 });
    expect(spec?.template.metadata?.labels).toMatchObject(spec?.selector.matchLabels ?? { nothing: '' });
    expect(budgets).toContainEqual(spec?.selector.matchLabels);
  }
  expect(budgets).toHaveLength(deployments.length);
});

test('every queue is served by one kind of worker, which is scaled by its queues', () => {
  const workers = pods.filter(({ container }) => targetOf(container.image) === 'worker');
  expect(workers.flatMap(({ container }) => queuesOf(container.args)).toSorted()).toEqual([...queueNames].toSorted());
  const metrics = readFileSync(join(ROOT, 'docs/running/metrics.md'), 'utf8');
  const scaled = modelsOf(then, 'ScaledObject');
  for (const { spec } of scaled) {
    const worker = workers.find(({ name }) => name === spec?.scaleTargetRef.name);
    const [, metric, queues = ''] =
      /(tidegate_\w+)\{queue=~"([a-z|]+)"\}/.exec(spec?.triggers[0]?.metadata.query ?? '') ?? [];
    expect(metrics).toContain(`| \`${metric}{queue}\` | gauge |`);
    expect(queues.split('|')).toEqual(queuesOf(worker?.container.args));
    expect(spec?.maxReplicaCount).toBeGreaterThan(spec?.minReplicaCount ?? Number.POSITIVE_INFINITY);
    expect(spec?.minReplicaCount).toBeGreaterThanOrEqual(2);
  }
  const byHand = deployments.filter(({ spec }) => spec?.replicas !== undefined).map(({ metadata }) => metadata?.name);
  const byLoad = [...scaled, ...modelsOf(then, 'HorizontalPodAutoscaler')].map(({ spec }) => spec?.scaleTargetRef.name);
  expect([...byHand, ...byLoad].toSorted()).toEqual(deployments.map(({ metadata }) => metadata?.name).toSorted());
});

/** The key file of pods whose name is not that of their kind. */
const keyFileOf: Readonly<Record<string, string>> = { migrate: 'admin', 'rest-adapter': 'rest' };
/** The roles that each pod connects as: for ordinary statements, for writing the ledger, and for the audit. */
const rolesOf: Record<string, string[]> = {
  migrate: ['owner'],
  'rest-adapter': ['rest', 'rest-ledger'],
  api: ['api', 'api-ledger'],
  'worker-orders': ['worker', 'worker-ledger'],
  'worker-notifications': ['worker', 'worker-ledger'],
  'worker-upkeep': ['worker', 'worker-ledger', 'audit'],
};
const ring = makeKeyRing();
// What docs/running/kubernetes.md has put into the secret, by key.
const secretFiles: Record<string, string> = {
  ...Object.fromEntries(
    ['owner', 'rest', 'api', 'worker', 'audit', 'rest-ledger', 'api-ledger', 'worker-ledger'].map((role) => [
      `database-url-${role}`,
      `postgres://tidegate_${role.replace('-', '_')}:secret@db.example.com/tidegate`,
    ]),
  ),
  ...Object.fromEntries(
    redisUsers.map((user) => [`redis-url-${user}`, `rediss://tidegate_${user}:secret@redis.example.com`]),
  ),
  ...Object.fromEntries(
    processKinds
      .filter((kind) => kind !== 'worker')
      .map((kind) => [`keys-${kind}`, writeKeys(keysOf(kind, ring), 'a test')]),
  ),
};

test('settings and secrets together are accepted by each process in production, with its own database role only', () => {
  const [settings] = modelsOf(first, 'ConfigMap');
  const documented = readFileSync(join(ROOT, 'docs/running/kubernetes.md'), 'utf8');
  for (const key of Object.keys(secretFiles)) expect(documented).toContain(`--from-file=${key}`);
  for (const { name, pod, container } of pods) {
    expect(container.envFrom).toEqual([{ configMapRef: { name: settings?.metadata?.name } }]);
    const volume = pod.volumes?.find((one) => one.name === 'secrets');
    expect(volume?.secret, name).toMatchObject({ secretName: 'secrets', defaultMode: 0o440 });
    const mount = container.volumeMounts?.find((one) => one.name === 'secrets')?.mountPath;
    const mounted = new Map(
      volume?.secret?.items?.map(({ key, path }) => [`${mount}/${path}`, secretFiles[key] ?? '']),
    );
    const own = Object.fromEntries((container.env ?? []).map((one) => [one.name, one.value ?? '']));
    const values = Object.fromEntries(
      Object.entries({ ...settings?.data, ...own }).map(([variable, value]) => {
        const secret = /^(.+)_FILE$/.exec(variable)?.[1];
        return secret ? [secret, mounted.get(value) ?? 'not in the secret'] : [variable, value];
      }),
    );
    expect(settingsOf[targetOf(container.image)]?.(values), name).toEqual([]);
    // A pod has the keys of its kind, and no other pod's.
    expect(values.TIDEGATE_KEYS, name).toBe(secretFiles[`keys-${keyFileOf[name] ?? name}`]);
    if (targetOf(container.image) === 'worker') {
      const needs = purposesOf(queueNames.filter((queue) => queuesOf(container.args).includes(queue)));
      expect(problemsOfKeys(values.TIDEGATE_KEYS ?? '', { process: 'worker', needs }), name).toEqual([]);
    }
    const urls = [
      values.DATABASE_URL ?? '',
      ...('DATABASE_LEDGER_URL' in values ? [values.DATABASE_LEDGER_URL ?? ''] : []),
      ...('DATABASE_AUDIT_URL' in values ? [values.DATABASE_AUDIT_URL ?? ''] : []),
    ];
    const roles = urls.map((url) => new URL(url).username);
    expect(roles, name).toEqual(rolesOf[name]?.map((role) => `tidegate_${role.replace('-', '_')}`));
    expect(
      [...mounted.values()].filter((value) => value.startsWith('postgres:')),
      name,
    ).toEqual(urls);
    expect(roles.includes('tidegate_audit'), name).toBe(queuesOf(container.args).includes('audit'));
    // The first role is that of the process, and so is its user in Redis. Migrations run as the owner, of the admin image.
    const user = rolesOf[name]?.[0] === 'owner' ? 'admin' : rolesOf[name]?.[0];
    const redisUrls = [...mounted.values()].filter((value) => value.startsWith('rediss:'));
    expect(redisUrls, name).toEqual([`rediss://tidegate_${user}:secret@redis.example.com`]);
    expect(values.REDIS_URL, name).toBe(redisUrls[0]);
  }
  expect(pods.map(({ name }) => name).toSorted()).toEqual(Object.keys(rolesOf).toSorted());
});

test('with the component for seals, the workers that audit keep them in one volume for all, at the folder of the image', async () => {
  const component = readManifests('seals');
  const [claim] = modelsOf(component, 'PersistentVolumeClaim');
  expect(claim?.spec?.accessModes).toEqual(['ReadWriteMany']);
  const [patch] = component.filter(({ kind }) => kind === 'Deployment').map(({ value }) => value as Patch);
  const patched = then.find(({ value }) => (value as Patch).metadata.name === patch?.metadata.name);
  if (!patch || !patched) throw new Error('the component changes no deployment of the services');
  // As Kustomize merges these lists: by name, and the patch has new names only.
  const { value } = structuredClone(patched) as { value: Patch };
  const [pod, added] = [value, patch].map(({ spec }) => spec.template.spec) as [PatchedPod, PatchedPod];
  const [container, addition] = [pod.containers[0], added.containers[0]];
  expect(addition?.name).toBe(container?.name);
  expect(queuesOf(container?.args)).toContain('audit');
  container?.env.push(...(addition?.env ?? []));
  container?.volumeMounts.push(...(addition?.volumeMounts ?? []));
  pod.volumes.push(...added.volumes);
  expect(modelsOf([{ ...patched, value }], 'Deployment')).toHaveLength(1);
  expect(
    await findUnknownFields([{ ...patched, value }, ...component.filter(({ kind }) => kind !== 'Deployment')]),
  ).toBe('');
  const folder = addition?.env.find(({ name }) => name === 'AUDIT_SEAL_DIR')?.value;
  expect(addition?.volumeMounts).toEqual([{ name: added.volumes[0]?.name, mountPath: folder }]);
  expect(added.volumes[0]?.persistentVolumeClaim?.claimName).toBe(claim?.metadata?.name);
  expect(readFileSync(join(ROOT, 'Dockerfile'), 'utf8')).toContain(`at ${folder},`);
}, 60_000);

test('the check of digests finds each image of the bases, which have only tags, and accepts an overlay that sets digests', () => {
  const check = (text: string) =>
    spawnSync('sh', [join(ROOT, 'ops/images/check-digests.sh')], { input: text, encoding: 'utf8' });
  const texts = steps.flatMap((step) =>
    readManifests(step).map(({ file }) => readFileSync(join(ROOT, 'ops/kubernetes', step, file), 'utf8')),
  );
  const text = texts.join('\n---\n');
  const loose = check(text);
  expect(loose.status).toBe(1);
  for (const { container } of pods) expect(loose.stderr).toContain(`${container.image} has no digest\n`);
  const pinned = text.replace(/(image: tidegate\/[a-z-]+):\S+/g, `$1@sha256:${'0'.repeat(64)}`);
  expect(check(pinned)).toMatchObject({ status: 0, stderr: '' });
});

test('the migration job runs an existing command', () => {
  expect(jobs).toHaveLength(1);
  const [job] = pods.filter(({ name }) => name === jobs[0]?.metadata?.name);
  expect(targetOf(job?.container.image)).toBe('admin');
  expect(commands.map(({ name }) => name)).toContain(job?.container.args?.[0]);
});

test("from outside only the paths of merchants, payers and channels are reachable, not metrics or the operators' API", () => {
  const rules = modelsOf(then, 'Ingress').flatMap(({ spec }) => spec?.rules ?? []);
  const paths = rules.flatMap(({ http }) => http?.paths ?? []);
  const isOpen = (path: string, host = 'pay.example.com') =>
    (rules.find((rule) => rule.host === host)?.http?.paths ?? []).some((way) =>
      way.pathType === 'Exact' ? path === way.path : path === way.path || path.startsWith(`${way.path}/`),
    );
  for (const path of [
    '/api/v1/merchant/wallet',
    '/.well-known/keys/IN10001.abc',
    '/checkout/abc',
    '/upstream/acme/callback',
    '/docs/guides/signing',
  ])
    expect(isOpen(path), path).toBe(true);
  for (const path of ['/metrics', '/healthz', '/readyz', '/graphql', '/']) expect(isOpen(path), path).toBe(false);
  // Operators have a host of their own.
  expect(isOpen('/graphql', 'ops.example.com')).toBe(true);
  for (const path of ['/metrics', '/healthz', '/readyz', '/api/v1/merchant/wallet'])
    expect(isOpen(path, 'ops.example.com'), path).toBe(false);
  const services = modelsOf(then, 'Service');
  for (const { backend } of paths)
    expect(services.map(({ metadata }) => metadata?.name)).toContain(backend.service?.name);
  for (const { spec } of services)
    expect(
      pods.filter(({ labels }) => labels?.['app.kubernetes.io/name'] === spec?.selector?.['app.kubernetes.io/name']),
    ).toHaveLength(1);
});
