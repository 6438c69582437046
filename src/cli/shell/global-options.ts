import type { Command } from 'commander';
import { collect } from './option-values.ts';
import type { OutputOptions } from './output.ts';

/** The options that every command takes. */
export interface GlobalOptions {
  readonly json?: true;
  readonly quiet?: true;
  readonly debug?: true;
  readonly yes?: true;
  readonly strict?: true;
  readonly service?: string;
  readonly allowOrigin?: readonly string[];
  readonly ca?: string;
}

export function addGlobalOptions(program: Command): Command {
  return program
    .option('--service <url>', 'the service to use')
    .option('--json', 'print one JSON object, or one a line')
    .option('--quiet', 'print results and errors alone')
    .option('--debug', 'print method, address, status and time of each request')
    .option('--yes', 'answer every question with yes')
    .option('--strict', 'refuse what the standards forbid and practice tolerates')
    .option('--ca <file>', 'trust the authorities in this PEM file, too')
    .option(
      '--allow-origin <url>',
      'an origin besides the issuer that may be posted to; repeatable',
      collect,
    );
}

export function outputOptions({ json, quiet }: GlobalOptions): OutputOptions {
  return { json: json === true, quiet: quiet === true };
}

/** The same before the command line is parsed: an error of parsing is printed in that form, too. */
export function typedOutputOptions(argv: readonly string[]): OutputOptions {
  const end = argv.indexOf('--');
  const own = end === -1 ? argv : argv.slice(0, end);
  return { json: own.includes('--json'), quiet: own.includes('--quiet') };
}
