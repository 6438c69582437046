import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findServiceRecord } from '../../agent/records/select-service.ts';
import {
  AGENT_TASKS,
  type AgentTask,
  type AgentTaskContext,
  DECLINED,
  type TaskClient,
} from '../../conformance/agent/agent-task.ts';
import { usageError } from '../shell/cli-error.ts';
import type { Context } from '../shell/context.ts';
import { type Ending, exitCode } from '../shell/exit-codes.ts';

type Facts = Omit<AgentTaskContext, 'task'>;

/** A command line of this program, and the exit codes after which the task goes on. */
interface Step {
  readonly line: readonly string[];
  readonly goesOn: readonly number[];
}

const DONE = exitCode('done');
const PENDING = exitCode('pending');

/** Does the task of `AGENT_AUTH_CONTEXT` by the commands that a user would type, one after another. */
export async function conformancePerform(context: Context): Promise<Ending> {
  const { task, ...facts } = readContext(context);
  if (!isTask(task)) return { childExit: DECLINED };
  if (task === 'connect') return connecting(context, facts);
  const known = await isRegistered(context, facts.resource);
  return perform(context, STEPS[task](facts, known));
}

async function perform(context: Context, steps: readonly Step[]): Promise<Ending> {
  for (const { line, goesOn } of steps) {
    const code = await context.runLine(line);
    if (!goesOn.includes(code)) return { childExit: code };
  }
  return 'done';
}

/** Connects as a user who has both secrets in files that nobody else can read. */
async function connecting(context: Context, facts: Facts): Promise<Ending> {
  const { client_at_provider: here, client_at_service: there, provider, resource } = facts;
  if (here === undefined || there === undefined || provider === undefined) {
    return { childExit: DECLINED };
  }
  const folder = mkdtempSync(join(tmpdir(), 'agent-auth-secrets-'));
  const { clients = [] } = await (await context.world.openStore()).read();
  const clientOf = ({ client_id: id, client_secret: secret, issuer }: TaskClient, name: string) => {
    const named = ['--client-id', id, '--browser', 'always'];
    // What is kept is kept for that server: no user would type it again.
    if (clients.some((kept) => kept.issuer === issuer && kept.clientId === id)) return named;
    const file = join(folder, name);
    writeFileSync(file, secret, { mode: 0o600 });
    return [...named, '--client-secret', `@${file}`];
  };
  try {
    return await perform(context, [
      step(['provider', 'login', provider, ...clientOf(here, 'provider')]),
      step(['connect', resource, '--provider', provider, ...clientOf(there, 'service')]),
    ]);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const STEPS: Readonly<
  Record<Exclude<AgentTask, 'connect'>, (facts: Facts, known: boolean) => readonly Step[]>
> = {
  call: (facts, known) => [...(known ? [] : registering(facts)), calling(facts)],
  begin: (facts, known) => [
    ...(known ? [] : registering(facts)),
    step(claimLine(facts, '--no-wait'), DONE, PENDING),
  ],
  claim: (facts, known) => [
    ...(known ? [] : registering(facts)),
    step(claimLine(facts)),
    calling(facts),
  ],
  resume: (facts) => [step(on(facts, 'claim', 'wait')), calling(facts)],
  leave: (facts) => [step(on(facts, 'forget'))],
  skill: ({ resource }) => [step(['skill', resource])],
  directory: ({ service }) => [step(['services', service])],
};

/** A registration whose user has to act first is one, too: the claim comes next. */
function registering(facts: Facts): readonly Step[] {
  const { type, email, provider } = facts;
  const how = {
    anonymous: [],
    service_auth: ['--email', email],
    identity_assertion: provider === undefined ? [] : ['--provider', provider],
  }[type];
  const line = ['register', facts.resource, '--type', type, ...how, '--browser', 'never'];
  return [step([...line, ...agreement(facts)], DONE, PENDING)];
}

function claimLine(facts: Facts, ...more: readonly string[]): readonly string[] {
  const { type, email, open_browser: opens } = facts;
  const who = type === 'anonymous' ? ['--email', email] : [];
  const browser = ['--browser', opens ? 'always' : 'never'];
  return [...on(facts, 'claim', ...who, ...browser, ...more), ...agreement(facts)];
}

function calling(facts: Facts): Step {
  return step(on(facts, 'call', facts.resource));
}

function on({ resource }: Facts, ...words: readonly string[]): readonly string[] {
  return ['--service', resource, ...words];
}

function agreement({ person_agrees: agrees }: Facts): readonly string[] {
  return agrees ? ['--yes'] : [];
}

function step(line: readonly string[], ...goesOn: readonly number[]): Step {
  return { line, goesOn: goesOn.length === 0 ? [DONE] : goesOn };
}

async function isRegistered({ world }: Context, resource: string): Promise<boolean> {
  const store = await world.openStore();
  const record = findServiceRecord(await store.read(), resource);
  return record?.registrations.some(({ id }) => id === record.current) ?? false;
}

function isTask(task: string): task is AgentTask {
  return Object.hasOwn(AGENT_TASKS, task);
}

/** @throws CliError (usage) when the variable is not what `conformance agent` sets. */
function readContext({ world }: Context): Facts & { readonly task: string } {
  const text = world.environment.performContext;
  try {
    const value = JSON.parse(text ?? '') as AgentTaskContext;
    if (value.schema === 'agent-auth.conformance-agent/1') return value;
  } catch {
    // The error below covers it.
  }
  throw usageError('AGENT_AUTH_CONTEXT is not set by `conformance agent`.', {
    code: 'context_missing',
    hint: 'Type: agent-auth conformance agent -- agent-auth conformance perform',
  });
}
