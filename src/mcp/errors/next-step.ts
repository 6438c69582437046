import type { NextCommand, Step } from '../../agent/index.ts';
import { needsOf } from '../../agent/next-step.ts';
import { type JsonMembers, type Next, nextTool, userCommand } from '../answer/answer.ts';
import type { ToolName } from '../tool-names.ts';

interface Where {
  /** The service that the failed tool was about. */
  readonly service: string | undefined;
  /** What a user types to start this program. */
  readonly program: string;
}

/** Commands that have a tool of their own, and what their first argument is called there. */
const TOOLS: Partial<
  Readonly<Record<NextCommand, { readonly tool: ToolName; readonly first?: string }>>
> = {
  connect: { tool: 'connect', first: 'service' },
  discover: { tool: 'discover', first: 'service' },
  register: { tool: 'register', first: 'service' },
  claim: { tool: 'start_claim' },
  'claim wait': { tool: 'await_claim' },
  // A tool never hands out a token: whatever needs one gets it by itself.
  token: { tool: 'call' },
  use: { tool: 'switch_registration', first: 'registration' },
  forget: { tool: 'leave', first: 'registration' },
  revoke: { tool: 'leave' },
  status: { tool: 'get_status' },
  skill: { tool: 'read_skill', first: 'service' },
  call: { tool: 'call', first: 'target' },
  'provider login': { tool: 'sign_in', first: 'provider' },
};

/** Options of a command, and the arguments of a tool that say the same. */
const OPTIONS: Readonly<Record<string, string>> = {
  '--email': 'email',
  '--provider': 'provider',
  '--type': 'type',
  '--code': 'code',
  '--call': 'prove_with',
  '--client-id': 'client_id',
};

const FLAGS: readonly string[] = ['--claim', '--fresh'];

/** Flags that say what the user has agreed to: nobody sets them on the word of an error. */
const CONSENTS: readonly string[] = ['--new', '--renew'];

/** All others work with what is stored: another service than the one used last has to be named. */
const WITHOUT_SERVICE: readonly ToolName[] = ['get_status', 'switch_registration', 'sign_in'];

/** A step of the library as one of this server. */
export function fromStep({ command, args }: Step, where: Where): Next {
  const known = TOOLS[command];
  // ID-JAGs are minted by whatever needs them; a file of one is for the program alone.
  const isFile = args.some((arg) => arg === '@FILE' || arg === 'FILE');
  if (known === undefined || isFile) return elsewhere(command, args, where);
  const { given, needs } = read(args, known.first);
  const tool =
    known.tool === 'start_claim' && args.includes('--code') ? 'complete_claim' : known.tool;
  if (command === 'revoke') given['keep_registration'] = true;
  if (tool === 'call') needs.push('target');
  if (!WITHOUT_SERVICE.includes(tool) && !needs.includes('service')) {
    given['service'] ??= where.service;
    // Where none is known, `connect` and its like cannot do without.
    if (known.first === 'service') needs.push('service');
  }
  const { service, target } = given;
  return nextTool(tool, tool === 'call' ? { service, target } : given, needs);
}

function read(args: readonly string[], first: string | undefined) {
  const given: Record<string, JsonMembers[string]> = {};
  const needs: string[] = [];
  const scopes: string[] = [];
  const put = (name: string, value: string) => {
    if (needsOf([value]).length > 0) needs.push(name);
    else given[name] = value;
  };
  for (let at = 0; at < args.length; at += 1) {
    const arg = args[at] ?? '';
    const option = OPTIONS[arg];
    if (CONSENTS.includes(arg)) needs.push(arg.slice(2));
    else if (FLAGS.includes(arg)) given[arg.slice(2)] = true;
    else if (arg.startsWith('--')) {
      at += 1;
      const value = args[at] ?? '';
      if (arg === '--scope' && value !== 'SCOPE') scopes.push(value);
      else if (option !== undefined) put(option, value);
    } else if (first !== undefined) put(first, arg);
  }
  if (scopes.length > 0) given['scopes'] = scopes;
  return { given, needs };
}

/** Consent is asked for by whatever needs it; the rest is for a user at a terminal. */
function elsewhere(
  command: NextCommand,
  args: readonly string[],
  { program, service }: Where,
): Next {
  if (command === 'provider consent' || command === 'provider mint') {
    const provider = args.find((arg) => /^https?:/.test(arg));
    return nextTool('register', { service, provider }, ['service', 'provider']);
  }
  const about = command === 'doctor' && args.length === 0 && service ? [service] : [];
  return userCommand(program, [...command.split(' '), ...args, ...about], needsOf(args));
}
