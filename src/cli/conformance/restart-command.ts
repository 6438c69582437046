import { type ChildProcess, spawn } from 'node:child_process';
import { CannotTest } from '../../conformance/engine/judge.ts';
import type { Context } from '../shell/context.ts';
import { readCommand } from './read-command.ts';

const FLAG = '--restart-command';

/** Starts the target anew with a command of the user's. */
export interface Restart {
  /** @throws CannotTest when the command cannot be run. */
  start(): Promise<void>;
  /** A command that still runs is the target itself, and ends with the run. */
  end(): void;
}

/** @throws CliError (usage) when the command cannot be read, or its program is not there. */
export function restartBy({ world }: Pick<Context, 'world'>, typed: string): Restart {
  const [command, ...args] = readCommand({ world }, typed, FLAG);
  let running: ChildProcess | undefined;
  const end = () => {
    const { pid } = running ?? {};
    running = undefined;
    // The whole group: the command may be a shell around the target.
    if (pid !== undefined) endGroup(pid);
  };
  return {
    end,
    start: async () => {
      end();
      const child = spawn(command, args, {
        stdio: 'ignore',
        env: { ...world.environment.source },
        detached: true,
      });
      child.unref();
      child.once('exit', () => {
        if (running === child) running = undefined;
      });
      await new Promise<void>((resolve, reject) => {
        child.once('spawn', resolve);
        child.once('error', ({ code }: NodeJS.ErrnoException) =>
          reject(new CannotTest(`The command of ${FLAG} cannot be run (${code ?? 'no reason'}).`)),
        );
      });
      running = child;
    },
  };
}

function endGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGTERM');
  } catch {
    // It has ended meanwhile.
  }
}
