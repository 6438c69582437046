import { isJsonObject, type JsonObject } from '../../protocol/json.ts';
import { displayText } from '../../protocol/text.ts';
import { CliError, usageError } from '../shell/cli-error.ts';
import type { Context } from '../shell/context.ts';
import type { Outcome } from '../shell/exit-codes.ts';
import { nextLine } from '../shell/next-line.ts';
import { table } from '../terminal/table.ts';
import { callControl } from './controls/call-control.ts';
import { type ControlTarget, findMock } from './controls/find-mocks.ts';

export interface MockSignInOptions {
  readonly as?: string;
  readonly deny?: true;
  readonly ask?: true;
}

export interface MockConsentOptions {
  readonly approve?: true;
  readonly deny?: true;
  readonly expire?: true;
}

/** Shows what authorization requests meet at the running mock provider, or decides it. */
export async function mockSignIn(
  context: Context,
  { as, ...kinds }: MockSignInOptions,
): Promise<Outcome> {
  const [kind, another] = [...(as === undefined ? [] : ['approve']), ...Object.keys(kinds)];
  if (another !== undefined) throw usageError('Use one of --as, --deny and --ask.');
  const target = await findMock(context, 'provider');
  const decision =
    kind === undefined
      ? await callControl(context, target, '/sign-in')
      : await callControl(context, target, '/sign-in', {
          kind,
          ...(as !== undefined && { email: as }),
        });
  const email = typeof decision['email'] === 'string' ? decision['email'] : undefined;
  context.output.result({
    schema: 'mockSignIn',
    json: () => ({
      provider: target.issuer,
      kind: String(decision['kind']),
      ...(email !== undefined && { email }),
    }),
    human: () =>
      `At the provider at ${target.issuer}, ${SIGN_INS[String(decision['kind'])] ?? `each sign-in is that of ${displayText(email ?? '', 200)}, without a page`}.`,
  });
  return 'done';
}

const SIGN_INS: Readonly<Record<string, string>> = {
  ask: 'users sign in on the page',
  deny: 'each sign-in is refused: access_denied',
};

/** Shows what the running mock provider asks its users, or answers in their place. */
export async function mockConsent(
  context: Context,
  id: string | undefined,
  options: MockConsentOptions,
): Promise<Outcome> {
  const [decision, another] = Object.keys(options);
  if (another !== undefined) throw usageError('Use one of --approve, --deny and --expire.');
  if (decision === undefined && id !== undefined) {
    throw usageError('Say what becomes of it: --approve, --deny or --expire.');
  }
  const target = await findMock(context, 'provider');
  if (decision === undefined) {
    return show(context, target, await requestsOf(context, target));
  }
  const which = encodeURIComponent(id ?? (await onlyOpen(context, target)));
  const path = `/consents/${which}/${decision}`;
  const answered = await callControl(context, target, path, {}).catch((error: unknown) => {
    const isUnknown = error instanceof CliError && error.code === 'control_not_found';
    throw isUnknown ? error.with(nextLine(context, 'mock consent')) : error;
  });
  return show(context, target, [answered]);
}

async function requestsOf(context: Context, target: ControlTarget): Promise<readonly JsonObject[]> {
  const { requests } = await callControl(context, target, '/consents');
  return Array.isArray(requests) ? requests.filter(isJsonObject) : [];
}

async function onlyOpen(context: Context, target: ControlTarget): Promise<string> {
  const open = (await requestsOf(context, target)).filter(({ state }) => state === 'open');
  const [only, another] = open;
  if (only !== undefined && another === undefined) return String(only['id']);
  throw usageError(
    only === undefined ? 'No consent request is open.' : 'Several consent requests are open.',
    {
      hint: only === undefined ? 'An agent that wants an ID-JAG opens one.' : 'Name one by its id.',
      next: nextLine(context, 'mock consent'),
    },
  );
}

function show(
  context: Context,
  { issuer }: ControlTarget,
  requests: readonly JsonObject[],
): Outcome {
  const columns = ['id', 'email', 'client', 'audience', 'state', 'expires_at'];
  context.output.result({
    schema: 'mockConsents',
    wraps: true,
    json: () => ({ provider: issuer, requests }),
    human: (style, width) =>
      requests.length === 0
        ? `The provider at ${issuer} asks nobody for consent.`
        : table(
            [
              ['request', 'user', 'client', 'service', 'state', 'until'].map((name) =>
                style.bold(name),
              ),
              ...requests.map((request) =>
                columns.map((name) => displayText(String(request[name] ?? 'the agent'), 200)),
              ),
            ],
            width,
          ),
  });
  return 'done';
}
