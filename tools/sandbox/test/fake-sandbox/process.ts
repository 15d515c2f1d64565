import { createServer } from 'node:http';

/** Answers every request with its pid and environment. A request for /die makes it exit at once. */
createServer((request, response) => {
  if (request.url === '/die') process.exit(3);
  response.end(JSON.stringify({ pid: process.pid, env: process.env }));
}).listen({ port: Number(process.env.PORT), host: process.env.HOST });
console.log('a fake process listens');
process.on('SIGTERM', () => process.exit(0));
