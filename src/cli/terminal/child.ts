/** A command with its arguments; no shell looks at them. */
export type CommandLine = readonly [command: string, ...args: string[]];

export type ChildEnd =
  | { readonly status: 'exited'; readonly code: number }
  /** The number of the signal that ended it. */
  | { readonly status: 'signalled'; readonly signal: number }
  | { readonly status: 'not_found' }
  | { readonly status: 'not_runnable'; readonly reason: string };

/** Another program that has this program's stdin, stdout and stderr. */
interface Child {
  readonly ended: Promise<ChildEnd>;
  readonly send: (signal: NodeJS.Signals) => void;
}

export type StartChild = (
  line: CommandLine,
  environment: Readonly<Record<string, string | undefined>>,
) => Child;

export const startSystemChild: StartChild = ([command, ...args], environment) => {
  // Loaded when first needed: few lines start another program.
  const { spawn } = process.getBuiltinModule('node:child_process');
  const { constants } = process.getBuiltinModule('node:os');
  const child = spawn(command, args, { stdio: 'inherit', env: { ...environment } });
  return {
    send: (signal) => {
      child.kill(signal);
    },
    ended: new Promise((resolve) => {
      child.once('error', (error: NodeJS.ErrnoException) => {
        const reason = error.code ?? 'unknown reason';
        resolve(reason === 'ENOENT' ? { status: 'not_found' } : { status: 'not_runnable', reason });
      });
      child.once('exit', (code, signal) => {
        resolve(
          signal === null
            ? { status: 'exited', code: code ?? 0 }
            : { status: 'signalled', signal: constants.signals[signal] },
        );
      });
    }),
  };
};
