import { existsSync } from 'node:fs';
import { type Environment, readEnvironment } from '../environment.ts';
import { exitCode } from '../exit-codes.ts';
import { createStreams, type Streams } from './streams.ts';

/** What `--help` and `--version` need of the world, and no more: they start fast. */
export interface Terminal {
  readonly streams: Streams;
  readonly environment: Environment;
  /** Calls `stop` on SIGINT and SIGTERM until the returned function is called. */
  readonly onStopSignal: (stop: () => void) => () => void;
}

export function systemTerminal(): Terminal {
  const environment = readEnvironment(process.env, {
    platform: process.platform,
    inContainer: () => existsSync('/.dockerenv') || existsSync('/run/.containerenv'),
  });
  return {
    environment,
    streams: createStreams(process, environment),
    onStopSignal: (stop) => {
      let asked = false;
      const listener = () => {
        // Whoever asks twice does not want to wait for an orderly end.
        if (asked) process.exit(exitCode('interrupted'));
        asked = true;
        stop();
      };
      process.on('SIGINT', listener);
      process.on('SIGTERM', listener);
      return () => {
        process.off('SIGINT', listener);
        process.off('SIGTERM', listener);
      };
    },
  };
}
