import { type Command, Option } from 'commander';
import { usageError } from '../../shell/cli-error.ts';
import { duration, origin } from '../../shell/option-values.ts';

export interface ReplayedServiceFlags {
  readonly from?: string;
  readonly auto?: boolean;
  readonly provider?: string;
}

export function addReplayedServiceOptions(command: Command): void {
  command
    .option(
      '--from <file>',
      'answer as the service did whose transcript this is, with new secrets; with --port, --host, --allow-host, --provider and --auto alone',
    )
    .option(
      '--auto',
      'with --from: what the recorded user and provider did happens by itself, in its place',
    )
    .option(
      '--provider <url>',
      'with --from: where the provider of the transcript is now (default: the one that an agent names first)',
      origin,
    );
}

/** @throws CliError (usage) for an option that means nothing to a mock that replays nothing. */
export function checkNoReplayOption({ auto, provider }: ReplayedServiceFlags): void {
  if (provider !== undefined) {
    throw usageError('--provider belongs to a replay, and --from names none.', {
      code: 'option_conflict',
      hint: `To replay, add --from FILE. For a mock that trusts this provider: --trust ${provider}`,
    });
  }
  if (auto !== true) return;
  throw usageError('--auto belongs to a replay, and --from names none.', {
    code: 'option_conflict',
    hint: 'To replay, add --from FILE. For a mock, leave it out: agent-auth mock complete plays its user.',
  });
}

export interface ReplayedAgentFlags {
  readonly from: string;
  readonly provider?: string;
  readonly user?: 'recorded' | 'wait';
  readonly timeout?: number;
}

export function addReplayedAgentOptions(command: Command): void {
  command
    .requiredOption('--from <file>', 'the transcript')
    .option(
      '--provider <url>',
      'the provider; without it, what was sent to one is left out',
      origin,
    )
    .addOption(
      new Option(
        '--user <how>',
        'recorded: send what the recorded user sent at the pages; wait: print the page and the code, and wait until a user has decided (default: recorded)',
      ).choices(['recorded', 'wait']),
    )
    .option('--timeout <duration>', 'how long to wait for that user (default: 10m)', duration);
}
