import type { JsonObject } from '../../../protocol/json.ts';
import { specificationState } from '../../../protocol/states.ts';
import { displayText } from '../../../protocol/text.ts';
import { nearest } from '../../../runtime/nearest.ts';
import { chooseOne } from '../../prompts/choose-one.ts';
import { CliError, type CliErrorOptions, usageError } from '../../shell/cli-error.ts';
import type { Context } from '../../shell/context.ts';
import type { Outcome } from '../../shell/exit-codes.ts';
import { nextLine, typedAgain } from '../../shell/next-line.ts';
import type { Rendering } from '../../shell/output.ts';
import { facts } from '../../terminal/table.ts';
import { localTime } from '../../terminal/time.ts';
import type { RevokeOptions } from '../control-options.ts';
import {
  askEach,
  type ControlTarget,
  callControl,
  findMock,
  isNotFound,
  listed,
} from './control.ts';

/** A registration as the controls of the mock service return it. */
export interface Registration extends JsonObject {
  readonly registration_id: string;
  readonly registration_type: string;
  readonly state: string;
  readonly created_at: string;
  readonly email: string | null;
  readonly subject: string | null;
  /** What the agent calls itself. */
  readonly agent_name: string | null;
}

type Decision = 'complete' | 'deny' | 'revoke';

interface DecisionOptions {
  readonly email?: string;
}

/** What is registered at the running mock service; with an id, everything about that one. */
export async function mockList(context: Context, id: string | undefined): Promise<Outcome> {
  const target = await findMock(context, 'service');
  return context.output.result(
    id === undefined
      ? presentAll(target.issuer, await registrationsAt(context, target))
      : presentOne(await callRegistration(context, target, id)),
  );
}

/** The two decisions about a claim, as commands. */
const decideClaim =
  (decision: 'complete' | 'deny') =>
  (context: Context, id: string | undefined, options: DecisionOptions): Promise<Outcome> =>
    decide(context, decision, id, { ...options });

export const mockComplete = decideClaim('complete');
export const mockDeny = decideClaim('deny');

const DONE = {
  complete: 'Completed the claim of',
  deny: 'Denied the claim of',
  revoke: 'Revoked',
} as const;

/** Decides of a registration in place of its user, and says so in a sentence; a program gets all its members. */
async function decide(
  context: Context,
  decision: Decision,
  typed: string | undefined,
  body: JsonObject,
): Promise<Outcome> {
  const target = await findMock(context, 'service');
  const id = typed ?? (await meant(context, target, decision, body['email']));
  const registration = await callRegistration(context, target, id, decision, body);
  const who = whoOf(registration);
  const whose = who === undefined ? '' : ` of ${displayText(who, 100)}`;
  return context.output.result({
    ...presentOne(registration),
    human: (style) =>
      `${style.green('✓')} ${DONE[decision]} ${registration.registration_id}${whose}.`,
  });
}

/**
 * Ends a registration at the running mock service, as its user would; or the tokens of a user or client of cross-app
 * access at each running mock, as an administrator would.
 */
export async function mockRevoke(
  context: Context,
  id: string | undefined,
  { all, clientId, email }: RevokeOptions,
): Promise<Outcome> {
  const isOfOne = email !== undefined || clientId !== undefined;
  if (!isOfOne && all !== true) return decide(context, 'revoke', id, {});
  if (id !== undefined) throw usageError('Name a registration, or whose tokens: one of both.');
  if (isOfOne && all === true) throw usageError('--all takes neither --email nor --client-id.');
  const body = { email, client_id: clientId };
  const answers = await askEach<{ readonly ended: number }>(context, () => ['/tokens/end', body]);
  const mocks = answers.map(({ target, body: { ended } }) => {
    return { mock: target.part, issuer: target.issuer, ended };
  });
  return context.output.result({
    schema: 'mockTokensEnded',
    json: () => ({ mocks }),
    human: (style) =>
      mocks
        .map(({ ended, mock }) => {
          const tokens = ended === 1 ? '1 token' : `${ended} tokens`;
          return `${style.green('✓')} ${style.bold(mock)}: ${tokens} ended`;
        })
        .join('\n'),
  });
}

async function registrationsAt(
  context: Context,
  target: ControlTarget,
): Promise<readonly Registration[]> {
  const { registrations } = await callControl<{ readonly registrations: readonly Registration[] }>(
    context,
    target,
    '/registrations',
  );
  return registrations;
}

/**
 * A control of one registration.
 * @param decision Its details, where it is left out.
 * @throws CliError as {@link callControl}; for an id that the mock does not know with the one that was
 *   probably meant.
 */
async function callRegistration(
  context: Context,
  target: ControlTarget,
  id: string,
  decision?: Decision,
  body?: JsonObject,
): Promise<Registration> {
  const path = `/registrations/${encodeURIComponent(id)}${decision === undefined ? '' : `/${decision}`}`;
  try {
    return await callControl<Registration>(context, target, path, body);
  } catch (error) {
    if (!isNotFound(error)) throw error;
    const known = await registrationsAt(context, target);
    const near = meantBy(
      id,
      known.map((each) => each.registration_id),
    );
    const next = near && nextLine(context, `mock ${decision ?? 'list'}`, near);
    throw error.with(
      next
        ? { hint: `Did you mean ${near}?`, next }
        : {
            hint: 'List the registrations to see their ids.',
            next: nextLine(context, 'mock list'),
          },
    );
  }
}

/** The letters that say which registration, behind `reg_`, without which any one would do. */
const ENOUGH = 4;

/** The one that begins like `id`, where no other does, or differs from it by a slip. */
function meantBy(id: string, known: readonly string[]): string | undefined {
  if (id.replace(/^[a-z]+_/, '').length < ENOUGH) return undefined;
  const [only, another] = known.filter((each) => each.startsWith(id));
  if (only !== undefined) return another === undefined ? only : undefined;
  return nearest(id, known);
}

/** The only one that a decision can be about needs no id: of open claims, that of the user first. */
async function meant(
  context: Context,
  target: ControlTarget,
  decision: Decision,
  email: unknown,
): Promise<string> {
  const isClaim = decision !== 'revoke';
  const all = await registrationsAt(context, target);
  const fit = all.filter(({ state }) =>
    isClaim ? state === 'pending' : state !== 'revoked' && state !== 'expired',
  );
  const theirs = fit.filter((each) => email !== undefined && whoOf(each) === email);
  const among = theirs.length > 0 ? theirs : fit;
  const [only, another] = among;
  if (only === undefined) {
    if (!isClaim) {
      throw usageError('No registration at the mock is live, so there is nothing to revoke.');
    }
    throw new CliError('failed', {
      code: 'no_claim_open',
      message: 'No claim is open at the mock.',
      ...wayToAClaim(context, target, all, email),
    });
  }
  if (another === undefined) return only.registration_id;
  return chooseOne(context, {
    question: isClaim ? 'Which claim?' : 'Which registration?',
    choices: among.map((each) => ({ value: each.registration_id, name: nameOf(each) })),
    code: 'registration_missing',
    message: isClaim ? 'Several claims are open.' : 'Several registrations are live.',
    flag: 'its registration',
    hint: context.output.json
      ? undefined
      : ['Name one with its registration:', ...among.map(nameOf)].join('\n  '),
    next: typedAgain(context, 'REGISTRATION'),
    details: { registrations: among },
  });
}

function whoOf({ email, subject }: Registration): string | undefined {
  return email ?? subject ?? undefined;
}

/** What tells open claims apart: whose each is, and since when. */
function nameOf(registration: Registration): string {
  const who = displayText(whoOf(registration) ?? 'nobody named', 100);
  return [registration.registration_id, who, `since ${registration.created_at}`].join('  ');
}

/** What the agent does so that a claim is open, by what is registered. */
function wayToAClaim(
  context: Context,
  { issuer }: ControlTarget,
  all: readonly Registration[],
  email: unknown,
): Pick<CliErrorOptions, 'hint' | 'next'> {
  const register = nextLine(context, 'register', issuer);
  const claimable = all.find(({ state }) => state === 'unclaimed' || state === 'lapsed');
  // A refused claim stays refused until a new attempt is started.
  if (claimable?.state === 'lapsed') {
    const hint = `The last code of ${claimable.registration_id} has ended. Get a new one with the agent.`;
    return { hint, next: nextLine(context, 'claim', '--renew') };
  }
  if (claimable !== undefined) {
    const hint = `Open one for ${claimable.registration_id} with the agent.`;
    const user = String(email ?? 'alice@example.com');
    return { hint, next: nextLine(context, 'claim', '--email', user) };
  }
  const [latest] = all;
  if (latest === undefined) return { hint: 'Nothing is registered there yet.', next: register };
  const { registration_id: id, state } = latest;
  return state === 'claimed'
    ? { hint: `${id} is claimed already.`, next: nextLine(context, 'mock list', id) }
    : { hint: `${id} is ${state}. Register another one.`, next: register };
}

/** The registration as the service has it, and what the specification calls its state. */
function registrationJson(registration: Registration): JsonObject {
  const { registration_type: type, state } = registration;
  return { ...registration, specification_state: specificationState(state, type) };
}

const COLUMNS = ['registration', 'type', 'state', 'in the specification', 'user', 'since'];

function presentAll(issuer: string, registrations: readonly Registration[]): Rendering {
  const named = registrations.some((each) => each.agent_name !== null);
  return {
    schema: 'mockList',
    wraps: true,
    json: () => ({ service: issuer, registrations: registrations.map(registrationJson) }),
    human: (style, columns) =>
      registrations.length === 0
        ? `No registrations at ${issuer}.`
        : listed(
            style,
            columns,
            [...COLUMNS, ...(named ? ['calls itself'] : [])],
            registrations.map((each) => [
              each.registration_id,
              each.registration_type,
              each.state,
              specificationState(each.state, each.registration_type),
              whoOf(each),
              localTime(Date.parse(each.created_at)),
              ...(named ? [each.agent_name] : []),
            ]),
          ),
  };
}

/** Presents one registration with all its members. */
function presentOne(registration: Registration): Rendering {
  const { registration_id: id, state, ...members } = registration;
  const specified = specificationState(state, registration.registration_type);
  const also = specified === null || specified === state ? '' : ` (specification: ${specified})`;
  return {
    schema: 'mockRegistration',
    json: () => registrationJson(registration),
    human: (style) => {
      const shown = Object.entries(members).flatMap(([name, value]) =>
        value === null ? [] : [[name, displayText(text(value), 200)] as const],
      );
      return [`${style.bold(id)}  ${state}${also}`, facts(style, shown)].join('\n');
    },
  };
}

function text(value: unknown): string {
  if (Array.isArray(value)) return value.join(' ');
  if (typeof value !== 'object' || value === null) return String(value);
  return Object.entries(value)
    .filter(([, member]) => member !== null)
    .map(([name, member]) => `${name}=${member}`)
    .join('  ');
}
