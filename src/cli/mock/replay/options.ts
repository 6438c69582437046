import type { Command } from 'commander';
import { origin } from '../../shell/option-values.ts';

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
