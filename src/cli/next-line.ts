import type { NextStep } from '../agent/agent-error.ts';
import type { Context } from './context.ts';

/** A command line for a shell: what is not plain is quoted. */
export function nextLine(context: Context, command: string, ...args: readonly string[]): string {
  const { service, ca } = context.options;
  // Who named the service or an authority on the command line has to name it again.
  const isNamed = service === undefined || args.includes('--service') || args.includes(service);
  const named = isNamed ? [] : ['--service', service];
  const trusted = ca === undefined || args.includes('--ca') ? [] : ['--ca', ca];
  return context.line([command, ...[...args, ...named, ...trusted].map(quote)].join(' '));
}

export function nextStepLine(context: Context, { command, args }: NextStep): string {
  return nextLine(context, command, ...args);
}

export function quote(arg: string): string {
  return /^[\w@%+=:,./-]+$/.test(arg) ? arg : `'${arg.replaceAll("'", `'\\''`)}'`;
}
