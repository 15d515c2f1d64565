import { expect, test } from 'vitest';
import { failures } from '../request/errors.ts';
import { errorActions } from './error-meanings.ts';
import { guides, renderGuide } from './guides.ts';
import { loadSearch } from './search-index.ts';

const addresses = { service: 'https://pay.test', receiver: null };

test.each(guides)(
  'the guide $name has the tables of the service, and nothing that is for readers of the repository',
  ({ name }) => {
    const html = renderGuide(name, addresses);
    expect(html).not.toMatch(/<!--|\{\{|running service|In the repository see|href="\.\.|\.md["#]/);
  },
);

test('statuses and codes come from the rules of the service', () => {
  expect(renderGuide('statuses', addresses)).toContain('<td>partial_paid</td>');
  expect(renderGuide('errors', addresses)).toContain('id="40103"');
});

test.each(guides)('the guide $name says below its introduction where the operations are', ({ name }) => {
  const [, line = ''] = renderGuide(name, addresses).split('</p>\n');
  expect(line).toMatch(/^<p class="base-url">/);
  expect(line).toContain('<code>https://pay.test/api/v1/merchant</code>');
  expect(line).toContain('href="/docs/guides/go-live#base-url"');
});

test('every error code says what to do', () => {
  const page = renderGuide('errors', addresses);
  expect(page).toContain('<th>What to do</th>');
  expect(Object.keys(errorActions).toSorted()).toEqual(Object.keys(failures).toSorted());
  expect(Object.values(errorActions).filter((action) => action.length < 15)).toEqual([]);
});

test.each([
  ['{&quot;a&quot;:true}', '<code>a=true</code>'],
  ['{&quot;a&quot;:null}', 'nothing'],
  ['{&quot;a&quot;:{}}', 'nothing'],
  ['{&quot;a&quot;:100.50}', '<code>a=100.50</code>'],
  ['{&quot;a&quot;:&quot; é &lt;b&gt; &quot;}', '<code>a= é &lt;b&gt; </code>'],
  ['{&quot;m&quot;:{&quot;b&quot;:&quot;1&quot;,&quot;a&quot;:true}}', '<code>m.a=true</code><br><code>m.b=1</code>'],
  ['{&quot;l&quot;:[null,{&quot;x&quot;:1}]}', '<code>l[1].x=1</code>'],
])('the guide of signing says what is signed for %s', (body, signed) => {
  const rows = renderGuide('signing', addresses).split('<tr>');
  const row = rows.find((one) => one.includes(`<code>${body}</code>`));
  expect(row).toContain(`<td>${signed}</td>`);
});

test('the guide of signing says for each language which printer to use', () => {
  const page = renderGuide('signing', addresses);
  for (const language of ['PHP', 'Python', 'Java', 'Go', 'Ruby', 'C#', 'JavaScript'])
    expect(page).toContain(`<td>${language}</td>`);
});

const search = loadSearch(addresses);

test.each([
  ['refund', '/docs/guides/repeats-and-refunds'],
  ['rate limit', '/docs/guides/go-live#rate-limit'],
  ['idempotency', '/docs/guides/repeats-and-refunds'],
  ['base url', '/docs/guides/go-live'],
  ['go live', '/docs/guides/go-live'],
  ['production', '/docs/guides/go-live'],
  ['sandbox', '/docs/guides/'],
  ['IP allow list', '/docs/guides/go-live#ip-allow-list'],
  ['IP whitelist', '/docs/guides/go-live'],
  ['boolean true false', '/docs/guides/signing'],
])('the search finds %s', (words, address) => {
  const found = search.search(words);
  expect(found[0]?.id).toMatch(new RegExp(`^${address}`));
});
