export { printApiSchema, schema } from './schema/schema.ts';
export { createServer, type ServerOptions } from './server.ts';
