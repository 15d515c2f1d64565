import { channelsWithoutAdapter, type Domain } from '@tidegate/domain';

/**
 * Reasons why production must not use this database (decisions 9). Each is one line that also says what to do. The
 * settings check the environment variables themselves, and the domain that the database is one of production. A channel
 * of a test account refuses no start: it is not used, and the others are.
 */
export async function refusalsOfProduction(domain: Domain): Promise<string[]> {
  const enabled = await channelsWithoutAdapter(domain);
  return enabled.map(
    ({ channelId, adapter }) =>
      `Production refuses to start: the channel ${channelId} is enabled, and its adapter ${adapter} is not one of production. ` +
      `Disable it: npm run admin -- disable-channel ${channelId} --reason "not for production"`,
  );
}
