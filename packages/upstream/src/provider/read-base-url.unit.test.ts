import { expect, test } from 'vitest';
import { httpUrl, secureUrl } from './read-base-url.ts';

test.each([
  ['https://api.example', 'https://api.example'],
  ['https://api.example/v1/', 'https://api.example/v1'],
  ['http://127.0.0.1:4010/', 'http://127.0.0.1:4010'],
  ['http://localhost:4010', 'http://localhost:4010'],
  ['http://10.1.2.3', 'http://10.1.2.3'],
  ['http://[::1]:4010', 'http://[::1]:4010'],
])('%s is read as the base URL %s', (text, baseUrl) => {
  expect([secureUrl.read(text), httpUrl.read(text)]).toEqual([baseUrl, baseUrl]);
});

test.each(['', 'api.example', 'ftp://127.0.0.1'])('“%s” cannot be a base URL', (text) => {
  expect([secureUrl.read(text), httpUrl.read(text)]).toEqual([null, null]);
});

test.each(['http://api.example', 'http://8.8.8.8', 'http://[2606:4700::1111]'])(
  'a base URL to which no credentials may be sent is refused: %s',
  (text) => {
    expect([secureUrl.read(text), httpUrl.read(text)]).toEqual([null, text]);
  },
);
