import { MetadataDiscovery, type MetadataStorage } from '@mikro-orm/postgresql';

// Lets MikroORM read the entities once per process instead of once per opened database. A process of the product opens
// one database. The test files of one process open hundreds, always with the same entities.

const discover = MetadataDiscovery.prototype.discover;
let discovered: Promise<MetadataStorage> | undefined;

MetadataDiscovery.prototype.discover = function (...parameters) {
  discovered ??= discover.apply(this, parameters);
  return discovered;
};
