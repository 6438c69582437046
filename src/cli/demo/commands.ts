import type { Command } from 'commander';
import type { Run } from '../shell/context.ts';
import { examples } from '../shell/help-text.ts';

export function addDemoCommand(program: Command, run: Run): void {
  examples(
    program
      .command('demo')
      .summary('watch all three flows run between a real agent and real servers')
      .description('Runs both mocks and the agent in this process and shows every exchange.')
      .action(() => run(async (context) => (await import('./demo.ts')).demo(context))),
    'demo',
    'demo --json',
  );
}
