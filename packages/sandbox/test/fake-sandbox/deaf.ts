/** Runs and never listens; SIGTERM does not end it. */
process.on('SIGTERM', () => {});
setInterval(() => {}, 60_000);
