/** What is built and shipped, by package: three services and the operators' command line, which migrates too. */
export const PROCESSES = ['rest-adapter', 'api', 'worker', 'admin'];
