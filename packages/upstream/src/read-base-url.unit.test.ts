import { expect, test } from 'vitest';
import { readBaseUrl } from './read-base-url.ts';

test.each([
  'https://api.example',
  'http://127.0.0.1:4010',
  'http://localhost:4010',
  'http://10.1.2.3',
  'http://[::1]:4010',
])('%s can be a base URL', (text) => {
  expect(readBaseUrl(text)?.href).toBe(new URL(text).href);
});

test.each(['', 'api.example', 'ftp://127.0.0.1', 'http://api.example', 'http://8.8.8.8', 'http://[2606:4700::1111]'])(
  '%s cannot be a base URL',
  (text) => {
    expect(readBaseUrl(text)).toBeNull();
  },
);
