import { expect, test } from 'vitest';
import { reachesThisMachine } from './reaches-this-machine.ts';

test.each([
  '127.0.0.0/8',
  '127.0.0.5/32',
  '127.3.2.1',
  '0.0.0.0/0',
  '169.254.169.254/32',
  '168.0.0.0/6',
  '::1/128',
  '::/0',
  '::',
  'fe80::1/64',
  '::ffff:127.0.0.0/104',
  '::ffff:169.254.169.254/128',
  '::ffff:0:0/96',
])('the network %s contains addresses of the machine or its link', (network) => {
  expect(reachesThisMachine(network)).toBe(true);
});

test.each([
  '10.0.0.0/8',
  '10.20.30.0/24',
  '192.168.1.7',
  '172.16.0.0/12',
  'fd00::/8',
  '128.0.0.0/8',
  'nonsense',
  '10.0.0.0/99',
])('the network %s contains no address of the machine or its link', (network) => {
  expect(reachesThisMachine(network)).toBe(false);
});
