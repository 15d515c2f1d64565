/** Runs without listening, and ignores SIGTERM. */
process.on('SIGTERM', () => {});
setInterval(() => {}, 60_000);
