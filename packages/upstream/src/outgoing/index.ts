export { checkDestination, type Destination, withPort } from './check-destination.ts';
export { type Dial, dial, openSocket } from './open-socket.ts';
export { errorOf, type OutgoingError, OutgoingFailure } from './outgoing-failure.ts';
export { makeResolve, type Resolve } from './resolve-name.ts';
