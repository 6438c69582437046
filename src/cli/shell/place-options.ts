import type { Options } from './command.ts';
import { hostName, port } from './option-values.ts';

/** Where a server listens. @param usualPort the one that is tried first */
export const placeOptions = (usualPort: number) =>
  ({
    '--port <port>': [
      `the port; if it is taken, fail instead of using the next free one (default: ${usualPort}, or the next free one)`,
      port,
    ],
    '--host <host>': ['the host name or IP address to listen on (default: 127.0.0.1)', hostName],
  }) satisfies Options;
