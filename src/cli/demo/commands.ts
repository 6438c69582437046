import type { CommandSpec } from '../shell/command.ts';

export const DEMO: CommandSpec = {
  summary: 'watch all three flows run between a real agent and real servers',
  description: 'Runs both mocks and the agent in this process and shows every exchange.',
  load: async () => (await import('./demo.ts')).demo,
  examples: ['demo', 'demo --json'],
};
