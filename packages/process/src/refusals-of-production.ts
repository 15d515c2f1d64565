import { channelsWithoutAdapter, type Domain, isSandbox } from '@tidegate/domain';

/**
 * Reasons why production must not use this database (decisions 9). Each is one line that also says what to do. The
 * settings check the environment variables themselves.
 */
export async function refusalsOfProduction(domain: Domain): Promise<string[]> {
  const seeded = await isSandbox(domain);
  const enabled = await channelsWithoutAdapter(domain);
  return [
    ...(seeded ? [demoKeys] : []),
    ...enabled.map(
      ({ channelId, adapter }) =>
        `Production refuses to start: the channel ${channelId} is enabled, and its adapter ${adapter} is not one of production. ` +
        `Disable it: npm run admin -- disable-channel ${channelId} --reason "not for production"`,
    ),
  ];
}

const demoKeys =
  'Production refuses to start: a sandbox (npm start) has used this database, so it has keys of demo merchants and operators. ' +
  'Set DATABASE_URL to another database, and migrate it: npm run admin -- migrate';
