import { expect, test } from 'vitest';
import { hostOf } from './notification.ts';

test.each([
  ['https://shop.test/n', 'shop.test:443'],
  ['http://shop.test/n', 'shop.test:80'],
  ['http://shop.test:8080/a?b#c', 'shop.test:8080'],
  ['https://Shop.TEST./n', 'shop.test:443'],
  ['https://SHOP.test:443', 'shop.test:443'],
  ['https://bücher.test/', 'xn--bcher-kva.test:443'],
  ['http://0x7f.1/', '127.0.0.1:80'],
  ['http://[::1]:3000/', '[::1]:3000'],
  ['ftp://shop.test/', ''],
  ['http://user:hush@shop.test/', ''],
  ['nonsense', ''],
])('the host of %s is %j', (url, host) => {
  expect(hostOf(url)).toBe(host);
});
