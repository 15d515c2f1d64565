import { expect, test } from 'vitest';
import { guides, renderGuide } from './guides.ts';

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
