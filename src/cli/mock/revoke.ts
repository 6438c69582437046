import { usageError } from '../shell/cli-error.ts';
import type { Context } from '../shell/context.ts';
import type { Outcome } from '../shell/exit-codes.ts';
import { whichRegistration } from './complete.ts';
import { callControl } from './controls/call-control.ts';
import { callRegistration } from './controls/call-registration.ts';
import { type ControlTarget, findMock, findMocks } from './controls/find-mocks.ts';
import { presentDecision, readRegistration, readRegistrations } from './mock-registration.ts';

/** Whose tokens are ended, in place of a registration. */
export interface MockRevokeOptions {
  readonly email?: string;
  readonly clientId?: string;
  readonly all?: true;
}

/**
 * Ends a registration at the running mock service, as its user would; or the tokens of a user or client of cross-app
 * access at each running mock, as an administrator would.
 */
export async function mockRevoke(
  context: Context,
  id: string | undefined,
  options: MockRevokeOptions,
): Promise<Outcome> {
  if (Object.keys(options).length > 0) {
    if (id !== undefined) throw usageError('Name a registration, or whose tokens: one of both.');
    return endTokens(context, options);
  }
  const target = await findMock(context, 'service');
  const body = await callRegistration(context, target, {
    id: id ?? (await onlyLive(context, target)),
    decision: 'revoke',
    body: {},
  });
  context.output.result(presentDecision(readRegistration(body), 'Revoked'));
  return 'done';
}

async function endTokens(
  context: Context,
  { all, clientId, email }: MockRevokeOptions,
): Promise<Outcome> {
  if (all === true && (email !== undefined || clientId !== undefined)) {
    throw usageError('--all takes neither --email nor --client-id.');
  }
  const body = {
    ...(email !== undefined && { email }),
    ...(clientId !== undefined && { client_id: clientId }),
  };
  const mocks: { mock: string; issuer: string; ended: number }[] = [];
  for (const target of await findMocks(context)) {
    const { ended } = await callControl(context, target, '/tokens/end', body);
    mocks.push({ mock: target.part, issuer: target.issuer, ended: Number(ended) });
  }
  context.output.result({
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
  return 'done';
}

/** The only one that can still be revoked needs no id. */
async function onlyLive(context: Context, target: ControlTarget): Promise<string> {
  const all = readRegistrations(await callControl(context, target, '/registrations'));
  const live = all.filter(({ state }) => state !== 'revoked' && state !== 'expired');
  const [only, another] = live;
  if (only === undefined) {
    throw usageError('No registration at the mock is live, so there is nothing to revoke.');
  }
  if (another === undefined) return only.id;
  return whichRegistration(context, live, {
    question: 'Which registration?',
    message: 'Several registrations are live.',
  });
}
