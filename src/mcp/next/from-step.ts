import type { NextCommand, Step } from '../../agent/index.ts';
import { needsOf } from '../../agent/next-step.ts';
import type { JsonMembers } from '../answer/answer.ts';
import type { ToolName } from '../tool-names.ts';
import { type Next, nextTool, userCommand } from './next.ts';

interface About {
  /** The service that the failed tool was about. */
  readonly service: string | undefined;
  /** What a user types to start this program. */
  readonly program: string;
}

/** Commands that have a tool of their own, with what their first argument is called there. */
const TOOLS: Partial<Readonly<Record<NextCommand, { tool: ToolName; first?: string }>>> = {
  connect: { tool: 'connect', first: 'service' },
  discover: { tool: 'discover', first: 'service' },
  register: { tool: 'register', first: 'service' },
  claim: { tool: 'start_claim' },
  'claim wait': { tool: 'await_claim' },
  // A tool never hands out a token: whatever needs one gets it by itself.
  token: { tool: 'call' },
  use: { tool: 'switch_registration', first: 'registration' },
  revoke: { tool: 'leave' },
  forget: { tool: 'leave', first: 'registration' },
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

const FLAGS: Readonly<Record<string, readonly [name: string, value: boolean]>> = {
  '--claim': ['claim', true],
  '--fresh': ['fresh', true],
};

/** Flags that say what the user has agreed to: nobody sets them on the word of an error. */
const CONSENTS: Readonly<Record<string, string>> = { '--new': 'new', '--renew': 'renew' };

/** Tools that work with what is stored: another service than the one used last has to be named. */
const TAKES_SERVICE: readonly ToolName[] = [
  'connect',
  'discover',
  'register',
  'start_claim',
  'complete_claim',
  'await_claim',
  'call',
  'leave',
  'read_skill',
];

/** A step of the library as one of this server. */
export function fromStep({ command, args }: Step, about: About): Next {
  const known = TOOLS[command];
  // ID-JAGs are minted by whatever needs them; a file of one is for the program alone.
  const isFile = args.some((arg) => arg === '@FILE' || arg === 'FILE');
  if (known === undefined || isFile) return elsewhere(command, args, about);
  const { given, needs } = read(args, known.first);
  const tool =
    known.tool === 'start_claim' && args.includes('--code') ? 'complete_claim' : known.tool;
  if (command === 'revoke') given['keep_registration'] = true;
  if (tool === 'call' && given['target'] === undefined) needs.push('target');
  const isNamed = given['service'] !== undefined || needs.includes('service');
  if (!isNamed && TAKES_SERVICE.includes(tool)) {
    // Where none is known, `connect` and its like cannot do without.
    if (about.service !== undefined) given['service'] = about.service;
    else if (known.first === 'service') needs.push('service');
  }
  return nextTool(tool, tool === 'call' ? only(given, ['service', 'target']) : given, [
    ...new Set(needs),
  ]);
}

function read(args: readonly string[], first: string | undefined) {
  const given: Record<string, JsonMembers[string]> = {};
  const needs: string[] = [];
  const scopes: string[] = [];
  for (let at = 0; at < args.length; at += 1) {
    const arg = args[at] ?? '';
    const flag = FLAGS[arg];
    const consent = CONSENTS[arg];
    const option = OPTIONS[arg];
    if (consent !== undefined) needs.push(consent);
    else if (flag !== undefined) given[flag[0]] = flag[1];
    else if (arg.startsWith('--')) {
      at += 1;
      const value = args[at] ?? '';
      if (arg === '--scope' && value !== 'SCOPE') scopes.push(value);
      else if (option !== undefined) put(option, value);
    } else if (first !== undefined) put(first, arg);
  }
  if (scopes.length > 0) given['scopes'] = scopes;
  return { given, needs };

  function put(name: string, value: string): void {
    if (needsOf([value]).length > 0) needs.push(name);
    else given[name] = value;
  }
}

function only(given: Readonly<Record<string, JsonMembers[string]>>, names: readonly string[]) {
  return Object.fromEntries(Object.entries(given).filter(([name]) => names.includes(name)));
}

/** Consent is asked for by whatever needs it; the rest is for a user at a terminal. */
function elsewhere(
  command: NextCommand,
  args: readonly string[],
  { program, service }: About,
): Next {
  if (command === 'provider consent' || command === 'provider mint') {
    const provider = args.find((arg) => /^https?:/.test(arg));
    return nextTool('register', { service, provider }, [
      ...(service === undefined ? ['service'] : []),
      ...(provider === undefined ? ['provider'] : []),
    ]);
  }
  const about = command === 'doctor' && args.length === 0 && service ? [service] : [];
  return userCommand(program, [...command.split(' '), ...args, ...about], needsOf(args));
}
