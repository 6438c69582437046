import type { Command } from 'commander';
import type { Run } from '../shell/context.ts';
import { examples, SERVICE_DEFAULT } from '../shell/help-text.ts';

export function addDoctorCommand(program: Command, run: Run): void {
  examples(
    program
      .command('doctor')
      .summary('check everything that commands rely on')
      .description(
        'Checks the program, its files and their modes, the environment, the network, and the connection to ' +
          'the service step by step. Writes nothing. Exits 0 if nothing failed, 7 if only the network did.',
      )
      .argument('[url]', `the service ${SERVICE_DEFAULT}`)
      .action((url: string | undefined) =>
        run(async (context) => (await import('./doctor.ts')).doctor(context, url)),
      ),
    'doctor',
    'doctor https://api.example.com --json',
  );
}
