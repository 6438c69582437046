import { existsSync, realpathSync } from 'node:fs';
import { createStreams, type Streams } from '../terminal/streams.ts';
import { type Environment, readEnvironment } from './environment.ts';
import { exitCode } from './exit-codes.ts';

/** What `--help` and `--version` need of the world, and no more: they start fast. */
export interface Terminal {
  readonly streams: Streams;
  readonly environment: Environment;
  /** Calls `stop` on each {@link STOP_SIGNALS} until the returned function is called. */
  readonly onStopSignal: (stop: StopListener) => () => void;
}

const STOP_SIGNALS = ['SIGINT', 'SIGTERM'] as const;
export type StopSignal = (typeof STOP_SIGNALS)[number];

/** @returns whether the program ends because of it; a signal after that ends it at once. */
type StopListener = (signal: StopSignal) => boolean;

export function systemTerminal(): Terminal {
  const environment = readEnvironment(process.env, {
    platform: process.platform,
    inContainer: () => existsSync('/.dockerenv') || existsSync('/run/.containerenv'),
    programFile: () => {
      const [, file] = process.argv;
      return file !== undefined && existsSync(file) ? realpathSync(file) : undefined;
    },
  });
  return {
    environment,
    streams: createStreams(process, environment),
    onStopSignal: (stop) => {
      let isEnding = false;
      const listener = (signal: NodeJS.Signals) => {
        // Whoever asks twice does not want to wait for an orderly end.
        if (isEnding) process.exit(exitCode('interrupted'));
        isEnding = stop(signal as StopSignal);
      };
      for (const signal of STOP_SIGNALS) process.on(signal, listener);
      return () => {
        for (const signal of STOP_SIGNALS) process.off(signal, listener);
      };
    },
  };
}
