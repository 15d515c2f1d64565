export { printApiSchema, schema } from './schema.ts';
export { createServer, type ServerOptions } from './server.ts';
