import { expect, test } from 'vitest';
import { readBaseUrl } from './read-base-url.ts';

const read = (baseUrl: string) => readBaseUrl({ channelId: 'c', baseUrl });

test.each([
  ['https://api.example', 'https://api.example'],
  ['https://api.example/v1/', 'https://api.example/v1'],
  ['http://127.0.0.1:4010/', 'http://127.0.0.1:4010'],
  ['http://localhost:4010', 'http://localhost:4010'],
  ['http://10.1.2.3', 'http://10.1.2.3'],
  ['http://[::1]:4010', 'http://[::1]:4010'],
])('%s is the base URL %s', (text, baseUrl) => {
  expect(read(text)).toBe(baseUrl);
});

test.each(['', 'api.example', 'ftp://127.0.0.1', 'http://api.example', 'http://8.8.8.8', 'http://[2606:4700::1111]'])(
  '“%s” cannot be a base URL',
  (text) => {
    expect(() => read(text)).toThrow(/^channel c: the base URL must be an https URL/);
  },
);
