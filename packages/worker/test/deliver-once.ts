// Makes one delivery to the URL that it is given, in a process of its own whose environment a test chooses, and prints what became of it.
// With `fetch` before the URL it is Node's own client that asks, for comparison.
import { makeConnector } from '../src/connector.ts';
import { makeDeliver } from '../src/deliver.ts';
import { deliveryDomain, loopback, to } from './delivery-fixture.ts';

const [first = '', url = first] = process.argv.slice(2);
if (first === 'fetch') {
  const httpStatus = await fetch(url).then(
    ({ status }) => status,
    () => null,
  );
  console.log(JSON.stringify({ httpStatus }));
} else {
  const connector = makeConnector();
  console.log(JSON.stringify(await makeDeliver(deliveryDomain(loopback), connector)(to(url))));
  await connector.close();
}
