import { MetadataDiscovery, MetadataStorage } from '@mikro-orm/postgresql';

// Lets MikroORM read the entities, and add its properties to their classes, once per process instead of once per opened
// database. A process of the product opens one database. The test files of one process open hundreds, always with the
// same entities.

const { discover } = MetadataDiscovery.prototype;
const { decorate } = MetadataStorage.prototype;
let discovered: Promise<MetadataStorage> | undefined;
const decorated = new WeakSet<MetadataStorage>();

MetadataDiscovery.prototype.discover = function (...parameters) {
  discovered ??= discover.apply(this, parameters);
  return discovered;
};

MetadataStorage.prototype.decorate = function (em) {
  if (decorated.has(this)) return;
  decorated.add(this);
  decorate.call(this, em);
};
