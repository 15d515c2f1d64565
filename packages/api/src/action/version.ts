import { type ConfigurationNoun, configurationVersions } from '@tidegate/domain/operators';
import DataLoader from 'dataloader';
import type { ApiContext } from '../graphql/context.ts';

/** Description of every field `version`. */
export const versionDescription =
  'Version of the data that an operator needs for a decision. Send it as `expectedVersion`, so that you decide only about what you see.';

const loaders = new WeakMap<ApiContext, DataLoader<ConfigurationNoun, string>>();

/** The field `version` of a configured object, for example a merchant. */
export function versionOfConfiguration<Row>(nounOf: (row: Row) => ConfigurationNoun) {
  return {
    description: versionDescription,
    resolve: (row: Row, _args: object, context: ApiContext) => loaderOf(context).load(nounOf(row)),
  };
}

function loaderOf(context: ApiContext): DataLoader<ConfigurationNoun, string> {
  const known = loaders.get(context);
  if (known) return known;
  const loader = new DataLoader<ConfigurationNoun, string>(
    async (nouns) => {
      context.signal.throwIfAborted();
      return configurationVersions(context.domain, nouns);
    },
    { cache: false, maxBatchSize: 1_000 },
  );
  loaders.set(context, loader);
  return loader;
}
