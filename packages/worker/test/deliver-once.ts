// Makes one delivery to the given URL and prints its outcome, in a process of its own, so that a test sets its
// environment. With `fetch` before the URL, Node's own client sends the request, for comparison.
import { makeConnector } from '../src/delivery/connector.ts';
import { makeDeliver } from '../src/delivery/deliver.ts';
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
