import { readClientLine } from '../../../mock/clients/client.ts';
import { isJsonObject, type JsonObject } from '../../../protocol/json.ts';
import { displayText } from '../../../protocol/text.ts';
import { urlProblem } from '../../../protocol/urls.ts';
import { usageError } from '../../shell/cli-error.ts';
import type { Context } from '../../shell/context.ts';
import type { Outcome } from '../../shell/exit-codes.ts';
import { nextLine } from '../../shell/next-line.ts';
import { facts, table } from '../../terminal/table.ts';
import type {
  ClientsOptions,
  ConsentOptions,
  PolicyOptions,
  SignInOptions,
  TrustOptions,
} from '../control-options.ts';
import {
  askEach,
  type ControlTarget,
  callControl,
  control,
  findMock,
  listed,
  listedBy,
} from './control.ts';

/** Shows the clients of the running mocks, adds one or removes one, until they are reset. */
export async function mockClients(context: Context, options: ClientsOptions): Promise<Outcome> {
  const { redirectUri, remove } = options;
  const client = clientOf(options);
  const answers = await askEach<{ readonly clients: readonly JsonObject[] }>(
    context,
    ({ part }) => {
      if (remove !== undefined) return ['/clients/remove', { id: remove }];
      if (client === undefined) return ['/clients'];
      // Users sign in at the provider alone.
      const returns = part === 'provider' && redirectUri && { redirect_uris: redirectUri };
      return ['/clients/set', { ...client, ...returns }];
    },
  ).catch(listedBy(context, 'mock clients'));
  const mocks = answers.map(({ target, body: { clients } }) => {
    return { mock: target.part, issuer: target.issuer, clients };
  });
  return context.output.result({
    schema: 'mockClients',
    wraps: true,
    json: () => ({ mocks }),
    human: (style) =>
      mocks
        .map(({ mock, clients }) => {
          if (clients.length === 0) return `${style.bold(mock)}: takes any client`;
          const rows = clients.map(({ id, methods }) => [
            displayText(String(id), 200),
            style.dim(displayText(String(methods), 200)),
          ]);
          return `${style.bold(mock)}:\n${table(rows)}`;
        })
        .join('\n'),
  });
}

/** The one to add. @throws CliError (usage) where several things are wanted, or it is none. */
function clientOf({ add, addPublic, redirectUri, remove }: ClientsOptions) {
  const given = [add, addPublic, remove].filter((each) => each !== undefined);
  if (given.length > 1) throw usageError('Use one of --add, --add-public and --remove.');
  if (addPublic !== undefined) return { id: addPublic, public: true };
  if (add === undefined) {
    if (!redirectUri || remove !== undefined) return undefined;
    throw usageError('--redirect-uri is of a client: --add or --add-public.');
  }
  const client = readClientLine(add);
  if (client !== undefined) return client;
  throw usageError('--add takes ID:SECRET, for example --add app:a-test-secret.');
}

/** Shows what the running mock provider lets clients reach, puts a rule before the others, or takes all back. */
export async function mockPolicy(
  context: Context,
  { clear, scopes, ...rest }: PolicyOptions,
): Promise<Outcome> {
  const rule = {
    ...rest,
    ...(scopes !== undefined && { scopes: scopes.split(' ').filter(Boolean) }),
  };
  const isRule = Object.keys(rule).length > 0;
  if (clear === true && isRule) throw usageError('--clear takes nothing beside it.');
  const target = await findMock(context, 'provider');
  const before = await callControl(context, target, '/policy');
  const after =
    clear === true
      ? await callControl(context, target, '/policy', { policy: null })
      : isRule
        ? await callControl(context, target, '/policy', { policy: [rule, ...rulesOf(before)] })
        : before;
  const rules = rulesOf(after);
  return context.output.result({
    schema: 'mockPolicy',
    wraps: true,
    json: () => ({ provider: target.issuer, policy: rules }),
    human: () =>
      rules.length === 0
        ? 'Every client reaches what it asks for.'
        : rules.map((rule, at) => `${at + 1}. ${displayText(sentence(rule), 1000)}`).join('\n'),
  });
}

function rulesOf({ policy }: JsonObject): readonly JsonObject[] {
  return Array.isArray(policy) ? policy.filter(isJsonObject) : [];
}

/** `user alice@example.com, client app: refused with access_denied`. */
function sentence({ max_age: age, refuse, scopes, ...selects }: JsonObject): string {
  const who = Object.entries(selects).map(([name, value]) => `${name} ${value}`);
  const what =
    refuse !== undefined
      ? `refused with ${refuse}`
      : Array.isArray(scopes)
        ? `gets ${scopes.join(' ') || 'no scope'} of what it asks for`
        : 'gets what it asks for';
  const fresh = age === undefined ? '' : ` after a sign-in of the last ${age} s`;
  return `${who.join(', ') || 'everybody'}: ${what}${fresh}`;
}

/** Shows what authorization requests meet at the running mock provider, or decides it. */
export const mockSignIn = control(
  'provider',
  ({ as, ...kinds }: SignInOptions) => {
    const decisions = [
      ...(as === undefined ? [] : [{ kind: 'approve', email: as }]),
      ...Object.keys(kinds).map((kind) => ({ kind })),
    ];
    const [decision, another] = decisions;
    if (another !== undefined) throw usageError('Use one of --as, --deny and --ask.');
    return ['/sign-in', decision];
  },
  (provider, { email, kind }: { readonly kind: string; readonly email?: string }) => ({
    schema: 'mockSignIn',
    json: () => ({ provider, kind, ...(email !== undefined && { email }) }),
    human: () =>
      `At the provider at ${provider}, ${SIGN_INS[kind] ?? `each sign-in is that of ${displayText(email ?? '', 200)}, without a page`}.`,
  }),
);

const SIGN_INS: Readonly<Record<string, string>> = {
  ask: 'users sign in on the page',
  deny: 'each sign-in is refused: access_denied',
};

/** Shows what the running mock provider asks its users, or answers in their place. */
export async function mockConsent(
  context: Context,
  id: string | undefined,
  options: ConsentOptions,
): Promise<Outcome> {
  const [decision, another] = Object.keys(options);
  if (another !== undefined) throw usageError('Use one of --approve, --deny and --expire.');
  if (decision === undefined && id !== undefined) {
    throw usageError('Say what becomes of it: --approve, --deny or --expire.');
  }
  const target = await findMock(context, 'provider');
  const { issuer } = target;
  const all = async () =>
    (await callControl<{ readonly requests: readonly JsonObject[] }>(context, target, '/consents'))
      .requests;
  const requests =
    decision === undefined
      ? await all()
      : [await decideConsent(context, target, id ?? onlyOpen(context, await all()), decision)];
  return context.output.result({
    schema: 'mockConsents',
    wraps: true,
    json: () => ({ provider: issuer, requests }),
    human: (style, columns) =>
      requests.length === 0
        ? `The provider at ${issuer} asks nobody for consent.`
        : listed(
            style,
            columns,
            ['request', 'user', 'client', 'service', 'state', 'until'],
            requests.map(({ audience, client, email, expires_at: until, id, state }) => {
              return [id, email, client ?? 'the agent', audience, state, until];
            }),
          ),
  });
}

function decideConsent(
  context: Context,
  target: ControlTarget,
  id: string,
  decision: string,
): Promise<JsonObject> {
  const path = `/consents/${encodeURIComponent(id)}/${decision}`;
  return callControl(context, target, path, {}).catch(listedBy(context, 'mock consent'));
}

function onlyOpen(context: Context, requests: readonly JsonObject[]): string {
  const [only, another] = requests.filter(({ state }) => state === 'open');
  if (only !== undefined && another === undefined) return String(only['id']);
  const [message, hint] =
    only === undefined
      ? ['No consent request is open.', 'An agent that wants an ID-JAG opens one.']
      : ['Several consent requests are open.', 'Name one by its id.'];
  throw usageError(message, { hint, next: nextLine(context, 'mock consent') });
}

/** A provider that the mock service trusts, as it says. */
interface Trusted extends JsonObject {
  readonly issuer: string;
  readonly name: string;
  /** `null`: by its metadata, when a key is needed. */
  readonly jwks_uri: string | null;
  readonly client_ids: readonly string[];
  /** Every issuer that it trusts now. */
  readonly trust: readonly string[];
}

const BY_METADATA = 'where its metadata says, else /.well-known/jwks.json';

/** Makes the running mock service trust one more provider, until it is reset. */
export const mockTrust = control(
  'service',
  (issuer: string, { name, jwksUri, clientId }: TrustOptions) => {
    if (clientId?.includes('')) throw usageError('--client-id must not be empty.');
    const body = {
      // As it is spelled: `iss` is compared character for character.
      issuer: checkedUrl(issuer, 'The issuer'),
      ...(name !== undefined && { name }),
      ...(jwksUri !== undefined && { jwks_uri: checkedUrl(jwksUri, '--jwks-uri') }),
      ...(clientId && { client_ids: clientId }),
    };
    return ['/trust', body];
  },
  (service, body: Trusted) => ({
    schema: 'mockTrust',
    json: () => ({ service, ...body }),
    human: (style) => {
      const { client_ids: clients, issuer, jwks_uri: jwksUri, name, trust } = body;
      const others = trust.filter((each) => each !== issuer);
      return [
        `${style.green('✓')} The service at ${service} trusts ${displayText(issuer, 200)} until it is reset.`,
        facts(style, [
          ['shown as', displayText(name, 200)],
          ['keys', displayText(jwksUri ?? BY_METADATA, 200)],
          ['clients', displayText(clients.join(' '), 1000)],
          ['also trusted', others.length === 0 ? undefined : displayText(others.join(' '), 1000)],
        ]),
      ].join('\n');
    },
  }),
);

function checkedUrl(url: string, what: string): string {
  if (urlProblem(url) === undefined) return url;
  throw usageError(
    `${what} must be a full URL, https or on loopback, such as https://host.example.`,
  );
}
