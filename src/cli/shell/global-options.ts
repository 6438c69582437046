import type { Command } from 'commander';
import { collect } from './option-values.ts';
import type { OutputOptions } from './output-options.ts';

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
    .option('--json', 'print JSON: one object, or one per line')
    .option('--quiet', 'print only results and errors')
    .option('--debug', 'print method, URL, status and duration of each request')
    .option('--yes', 'answer yes to every question')
    .option('--strict', 'reject what the standards forbid but practice tolerates')
    .option('--ca <file>', 'also trust the CA certificates in this PEM file')
    .option(
      '--allow-origin <url>',
      'also send requests to this origin, however near it is and by plain http; repeatable',
      collect,
    );
}

export function outputOptions({ json, quiet }: GlobalOptions): OutputOptions {
  return { json: json === true, quiet: quiet === true };
}
