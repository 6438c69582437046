import { type Command, Option } from 'commander';
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
        'recorded: send what the recorded user sent at the pages (default); wait: print the page and the code, and wait until a user has decided',
      ).choices(['recorded', 'wait']),
    )
    .option('--timeout <duration>', 'how long to wait for that user (default: 10m)', duration);
}
