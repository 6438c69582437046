import type { Command } from 'commander';
import { usageError } from '../../shell/cli-error.ts';
import { origin } from '../../shell/option-values.ts';

export interface ReplayedServiceFlags {
  readonly from?: string;
  readonly provider?: string;
}

export function addReplayedServiceOptions(command: Command): void {
  command
    .option(
      '--from <file>',
      'answer as the service did whose transcript this is, with new secrets; with --port, --host, --allow-host and --provider alone',
    )
    .option(
      '--provider <url>',
      'with --from: where the provider of the transcript is now (default: the one that an agent names first)',
      origin,
    );
}

/** @throws CliError (usage) for an option that means nothing to a mock that replays nothing. */
export function checkNoReplayOption({ provider }: ReplayedServiceFlags): void {
  if (provider === undefined) return;
  throw usageError('--provider belongs to a replay, and --from names none.', {
    code: 'options_clash',
    hint: `To replay, add --from FILE. For a mock that trusts this provider: --trust ${provider}`,
  });
}
