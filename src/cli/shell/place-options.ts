import type { Command } from 'commander';
import { hostName, port } from './option-values.ts';

/** Where a server listens. @param usualPort the one that is tried first */
export function addPlaceOptions(command: Command, usualPort: number): Command {
  return command
    .option(
      '--port <port>',
      `the port; if it is taken, fail instead of using the next free one (default: ${usualPort}, or the next free one)`,
      port,
    )
    .option(
      '--host <host>',
      'the host name or IP address to listen on (default: 127.0.0.1)',
      hostName,
    );
}
