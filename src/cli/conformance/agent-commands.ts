import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Run } from '../shell/context.ts';
import { examples } from '../shell/help-text.ts';
import { duration } from '../shell/option-values.ts';
import type { ConformanceAgentOptions } from './agent.ts';
import { withReportOptions } from './report-options.ts';

/** How long one run of the agent may last. Milliseconds. */
const DEFAULT_TIMEOUT = 60_000;
const DEFAULT_PARALLEL = 4;
const MOST_PARALLEL = 64;

export function addConformanceAgentCommands(conformance: Command, run: Run): void {
  const agent = conformance
    .command('agent')
    .summary('judge an agent')
    .description(
      'Plays services, a provider and a person to an agent. Runs its command a few times for each scenario, ' +
        'with AGENT_AUTH_SERVICE, AGENT_AUTH_SCENARIO and AGENT_AUTH_CONTEXT in the environment; the command ' +
        'does the task that the context names and exits 0 when it is done.',
    )
    .argument('[command...]', 'the command and its arguments, after --')
    .allowUnknownOption();
  withReportOptions(agent)
    .addOption(
      new Option('--timeout <duration>', 'how long one run of the command may last')
        .argParser(duration)
        .default(DEFAULT_TIMEOUT, '60s'),
    )
    .addOption(
      new Option('--parallel <number>', 'how many scenarios are played at once')
        .argParser(parallel)
        .default(DEFAULT_PARALLEL),
    );
  examples(
    agent.action((words: readonly string[], options: ConformanceAgentOptions) =>
      run(async (context) =>
        (await import('./agent.ts')).conformanceAgent(context, words, options),
      ),
    ),
    'conformance agent -- agent-auth conformance perform',
    'conformance agent --report html=report.html -- python my_adapter.py',
    "conformance agent --only 'agent-claim*' -- ./adapter.sh",
  );
  examples(
    conformance
      .command('perform')
      .summary('do one task of `conformance agent` with this program')
      .description(
        'Does the task of AGENT_AUTH_CONTEXT as this program does it: what `conformance agent` runs to judge ' +
          'agent-auth itself, and an example for adapters of other agents.',
      )
      .action(() =>
        run(async (context) => (await import('./perform.ts')).conformancePerform(context)),
      ),
    'conformance agent -- agent-auth conformance perform',
  );
}

function parallel(value: string): number {
  const number = Number(value);
  if (Number.isInteger(number) && number >= 1 && number <= MOST_PARALLEL) return number;
  throw new InvalidArgumentError(`A number from 1 to ${MOST_PARALLEL}.`);
}
