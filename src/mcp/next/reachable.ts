import type { ToolName } from '../tool-names.ts';
import { type Next, userCommand } from './next.ts';

/** What a user types in place of a tool: the command, and which argument follows it. */
const COMMANDS: Partial<
  Readonly<Record<ToolName, { line: string; argument?: string; needed?: string }>>
> = {
  connect: { line: 'connect', argument: 'service', needed: 'URL' },
  register: { line: 'register', argument: 'service', needed: 'URL' },
  start_claim: { line: 'claim' },
  complete_claim: { line: 'claim --code CODE', needed: 'CODE' },
  await_claim: { line: 'claim wait' },
  sign_in: { line: 'provider login', argument: 'provider', needed: 'URL' },
  await_sign_in: { line: 'provider login', argument: 'provider', needed: 'URL' },
  switch_registration: { line: 'use', argument: 'registration', needed: 'REGISTRATION' },
  leave: { line: 'forget' },
};

/** The same step where its tool is missing, because the server reads alone: what the user types for it. */
export function reachable(
  next: Next,
  { readOnly, program }: { readonly readOnly: boolean; readonly program: string },
): Next {
  const command = readOnly && 'tool' in next ? COMMANDS[next.tool] : undefined;
  if (command === undefined || !('tool' in next)) return next;
  const { line, argument, needed } = command;
  const words = line.split(' ');
  const needs = needed === undefined ? [] : [needed];
  if (argument === undefined) {
    const at = next.arguments['service'];
    const service = typeof at === 'string' ? ['--service', at] : [];
    return userCommand(program, [...words, ...service], needs);
  }
  const given = next.arguments[argument];
  return typeof given === 'string'
    ? userCommand(program, [...words, given])
    : userCommand(program, [...words, ...needs], needs);
}
