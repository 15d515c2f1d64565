import { afterAll, test } from 'vitest';
import { closeAll, deliverWith } from '../../test/delivery-fixture.ts';
import { expectDripsGivenUp } from '../../test/floods.ts';

afterAll(closeAll);

test('a reply that comes byte by byte is given up after 10 s in all', () => expectDripsGivenUp(deliverWith(), 10_000));
