import { expect, test } from 'vitest';
import { specialIPv4, specialIPv6 } from '../packages/domain/src/core/address.ts';
import { modelsOf, readManifests } from './shipping/manifests.ts';

// The network policies of ops/kubernetes, and the pods that they choose. No cluster runs here.

const then = readManifests('services');
const pods = [...modelsOf(then, 'Deployment'), ...modelsOf(readManifests('migrate'), 'Job')].map(
  ({ metadata, spec }) => ({ name: metadata?.name ?? '', labels: spec?.template.metadata?.labels }),
);
const policies = modelsOf(then, 'NetworkPolicy').map(({ metadata, spec }) => ({ name: metadata?.name ?? '', spec }));
const isChosen = (labels: Record<string, string> = {}, selector: PodSelector = {}): boolean =>
  Object.entries(selector.matchLabels ?? {}).every(([key, value]) => labels[key] === value) &&
  (selector.matchExpressions ?? []).every(
    ({ key, operator, values = [] }) => operator === 'In' && values.includes(labels[key] ?? ''),
  );
interface PodSelector {
  matchLabels?: Record<string, string> | undefined;
  matchExpressions?: { key: string; operator: string; values?: string[] | undefined }[] | undefined;
}
/** Where a pod may connect to: a network or a namespace, and the ports. */
const waysOut = (labels: Record<string, string> | undefined) =>
  policies
    .filter(({ spec }) => spec?.policyTypes?.includes('Egress') && isChosen(labels, spec.podSelector))
    .flatMap(({ spec }) => spec?.egress ?? [])
    .flatMap(({ to = [], ports = [] }) => to.map((peer) => ({ peer, ports: ports.map(({ port }) => Number(port)) })));

test('every pod may connect only to the stores, DNS and traces; those that call channels or merchants also to public addresses', () => {
  const all = policies.filter(({ spec }) => isChosen({}, spec?.podSelector));
  for (const type of ['Ingress', 'Egress'] as const)
    expect(
      all.filter(({ spec }) => spec?.policyTypes?.includes(type)),
      type,
    ).toHaveLength(1);
  // A rule without addresses or without ports would allow everything.
  for (const { name, spec } of policies)
    for (const rule of spec?.egress ?? []) {
      expect(rule.to?.length, name).toBeGreaterThan(0);
      expect(rule.ports?.length, name).toBeGreaterThan(0);
    }
  for (const { name, labels } of pods) {
    const ways = waysOut(labels);
    const portsOf = (cidr: string) => ways.find(({ peer }) => peer.ipBlock?.cidr === cidr)?.ports;
    for (const cidr of ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fd00::/8'])
      expect(portsOf(cidr), name).toEqual([5432, 6432, 6379, 26379]);
    const namespaces = ways.map(({ peer }) => peer.namespaceSelector?.matchLabels?.['kubernetes.io/metadata.name']);
    expect(
      namespaces.filter((one) => one !== undefined),
      name,
    ).toEqual(['kube-system', 'monitoring']);
    const isOutside = name !== 'migrate';
    expect([portsOf('0.0.0.0/0'), portsOf('2000::/3')], name).toEqual(isOutside ? [[1], [1]] : [undefined, undefined]);
  }
});

test('the policy for public addresses leaves out those that the processes refuse to call', () => {
  const [policy] = policies.filter(({ name }) => name === 'internet');
  const blocks = policy?.spec?.egress?.flatMap(({ to = [] }) => to.map(({ ipBlock }) => ipBlock)) ?? [];
  const except = (cidr: string) => blocks.find((block) => block?.cidr === cidr)?.except;
  expect(blocks.map((block) => block?.cidr)).toEqual(['0.0.0.0/0', '2000::/3']);
  expect(except('0.0.0.0/0')).toEqual(specialIPv4);
  expect(except('0.0.0.0/0')).toEqual(expect.arrayContaining(['169.254.0.0/16', '10.0.0.0/8']));
  // The processes look at the IPv4 address inside of 2002::/16; a policy cannot.
  expect(except('2000::/3')?.toSorted()).toEqual([...specialIPv6, '2002::/16'].toSorted());
});
