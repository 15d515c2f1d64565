import { expect, test } from 'vitest';
import { type RedisPlace, readRedisUrl } from './redis-url.ts';

const plain: RedisPlace = {
  nodes: [{ host: 'h', port: 6379 }],
  isCluster: false,
  sentinel: null,
  database: 0,
  tls: false,
  username: null,
  password: null,
};
const two: RedisPlace['nodes'] = [
  { host: 'h', port: 7000 },
  { host: 'i', port: 7001 },
];

test.each<[string, RedisPlace]>([
  ['redis://h', plain],
  ['redis://h:7000/', { ...plain, nodes: [{ host: 'h', port: 7000 }] }],
  ['redis://h/12', { ...plain, database: 12 }],
  ['REDIS://h', plain],
  ['redis://[::1]:7000', { ...plain, nodes: [{ host: '::1', port: 7000 }] }],
  ['rediss://h', { ...plain, tls: true }],
  ['redis://:p%40ss,word@h', { ...plain, password: 'p@ss,word' }],
  [
    'rediss://anna:secret@h:7000/3',
    {
      nodes: [{ host: 'h', port: 7000 }],
      isCluster: false,
      sentinel: null,
      database: 3,
      tls: true,
      username: 'anna',
      password: 'secret',
    },
  ],
  ['redis://h?cluster=true', { ...plain, isCluster: true }],
  ['redis://h:7000,redis://i:7001', { ...plain, nodes: two, isCluster: true }],
  ['redis://h:7000/0, redis://i:7001/0', { ...plain, nodes: two, isCluster: true }],
  ['redis://h:7000?cluster=true,redis://i:7001', { ...plain, nodes: two, isCluster: true }],
  [
    'rediss://u:a,b@h:7000,rediss://i:7001',
    { nodes: two, isCluster: true, sentinel: null, database: 0, tls: true, username: 'u', password: 'a,b' },
  ],
  [
    'redis://h?sentinel=main',
    { ...plain, nodes: [{ host: 'h', port: 26_379 }], sentinel: { name: 'main', password: null } },
  ],
  [
    'redis://:secret@h:7000/2?sentinel=main&sentinel-password=p%26q,redis://i:7001',
    { ...plain, nodes: two, sentinel: { name: 'main', password: 'p&q' }, database: 2, password: 'secret' },
  ],
  [
    'redis://:secret@h:7000,redis://i:7001/2?sentinel=main',
    { ...plain, nodes: two, sentinel: { name: 'main', password: null }, database: 2, password: 'secret' },
  ],
])('%s is accepted', (url, place) => {
  expect(readRedisUrl(url)).toEqual({ ok: true, place });
});

const form = /^has to be redis:\/\/host:port/;
test.each<[string, (RegExp | string)[]]>([
  ['hush', [form]],
  ['localhost:6379', [form]],
  ['http://hush@h', [form]],
  ['redis://', [form]],
  ['redis://h:99999', [form]],
  ['redis://h:1,i:2', [form]],
  ['redis://h:1,redis://', [form]],
  ['redis://h/hush', [/not a number/]],
  ['redis://h/1?cluster=true', [/other than 0/]],
  ['redis://h,redis://i/2', [/other than 0/]],
  ['redis://h,rediss://i', [/mixes/]],
  ['redis://:hush@h,redis://:hushed@i', [/different users or passwords/]],
  ['redis://:%hush@h', [/cannot be read/]],
  ['redis://h?tls=hush', [/parameter that is not known/]],
  ['redis://h?cluster=false', [/can only be true/]],
  ['redis://h?cluster=true&sentinel=hush', [/cluster and sentinel/]],
  ['redis://h?sentinel=', [/one server/]],
  ['redis://h?sentinel=hush,redis://i?sentinel=other', [/one server/]],
  ['redis://h?sentinel-password=hush', [/one server/]],
  ['redis://h/1?sentinel=hush,redis://i/2', [/different databases/]],
  [
    'redis://:hush@h/x?cluster=1,rediss://:other@i/1?db=hush',
    [/not a number/, /other than 0/, /mixes/, /different users/, /not known/, /can only be true/],
  ],
])('%s is refused, without repeating it', (url, expected) => {
  const read = readRedisUrl(url);
  if (read.ok) throw new Error('it was understood');
  expect(read.problems).toEqual(expected.map((pattern) => expect.stringMatching(pattern)));
  expect(read.problems.join()).not.toContain('hush');
});
