import { Resolver } from 'node:dns/promises';
import { isLocalhost, loopbackAddresses } from '@tidegate/domain/channels';
import { OutgoingFailure } from './outgoing-failure.ts';

/** Every address of a name, at least one, IPv4 first. Throws an OutgoingFailure `dns` if there is none. */
export type Resolve = (name: string) => Promise<readonly string[]>;

/** Less than the time limit of a whole connection (decisions 7.4). */
const usualLimitMs = 3_000;
/** More than any real endpoint has. Each address has to be checked. */
const maxAddresses = 64;

/**
 * Asks the machine's DNS servers (or `servers`, as `address:port`) for all A and AAAA records, within 3 s or `limitMs`.
 * It does not use getaddrinfo, which has four threads for the whole process and no time limit. A few names with silent servers would stop
 * all notifications and calls to channels. So /etc/hosts and search domains are ignored, and `localhost` is the loopback by definition.
 * A fresh resolver per name keeps no answer, sends from a fresh port, and can be cancelled alone.
 */
export function makeResolve(servers?: readonly string[], limitMs = usualLimitMs): Resolve {
  return async (name) => {
    if (isLocalhost(name)) return loopbackAddresses;
    const resolver = new Resolver({ timeout: 1_000, tries: 2 });
    if (servers) resolver.setServers(servers);
    const limit = setTimeout(() => resolver.cancel(), limitMs);
    const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    clearTimeout(limit);
    const addresses = new Set(answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : [])));
    if (addresses.size === 0 || addresses.size > maxAddresses) throw new OutgoingFailure('dns');
    return [...addresses];
  };
}
