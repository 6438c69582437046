import type { Command } from 'commander';
import type { Run } from '../shell/context.ts';
import { examples } from '../shell/help-text.ts';

export function addDoctorCommand(program: Command, run: Run): void {
  examples(
    program
      .command('doctor')
      .summary('look at everything that commands rely on')
      .description(
        'Checks the program, its files and their modes, the environment, the network, and the way to the ' +
          'service step by step. It writes nothing. Exit 0 when nothing failed, 7 when the network alone did.',
      )
      .argument('[url]', 'the service (default: the one that every command would choose)')
      .action((url: string | undefined) =>
        run(async (context) => (await import('./doctor.ts')).doctor(context, url)),
      ),
    'doctor',
    'doctor https://api.example.com --json',
  );
}
