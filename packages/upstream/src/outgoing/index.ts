export { type Destination, judgeDestination, withPort } from './judge-destination.ts';
export { type Dial, dial, openSocket } from './open-socket.ts';
export { errorOf, type OutgoingError, OutgoingFailure } from './outgoing-failure.ts';
export { makeResolve, type Resolve } from './resolve-name.ts';
