import SchemaBuilder, { BasePlugin, type PothosOutputFieldConfig, type SchemaTypes } from '@pothos/core';

declare global {
  export namespace PothosSchemaTypes {
    export interface Plugins<Types extends SchemaTypes> {
      nullableRoots: NullableRootsPlugin<Types>;
    }
  }
}

const pluginName = 'nullableRoots';
const roots = ['Query', 'Mutation', 'Subscription'];

/** Makes every root field nullable. A refused field is null with its error, and `data` keeps the others. */
class NullableRootsPlugin<Types extends SchemaTypes> extends BasePlugin<Types> {
  override onOutputFieldConfig(config: PothosOutputFieldConfig<Types>): PothosOutputFieldConfig<Types> {
    return roots.includes(config.parentType) ? { ...config, type: { ...config.type, nullable: true } } : config;
  }
}

SchemaBuilder.registerPlugin(pluginName, NullableRootsPlugin);

export default pluginName;
