import { randomUUID } from 'node:crypto';
import {
  ID_JAG_TOKEN_TYPE,
  ID_TOKEN_TYPE,
  JWT_BEARER_GRANT,
  TOKEN_EXCHANGE_GRANT,
} from '../../../../protocol/index.ts';
import { type Judge, judgePart, NeedsOption, shown } from '../../../engine/judge.ts';
import { noStore } from '../../../engine/rows.ts';
import type { Answer } from '../../../http/answer.ts';
import { forgeJwt, makeKey } from '../../../jwt/forge.ts';
import { openJwt } from '../../../jwt/open.ts';
import {
  crossAppScenario,
  judgeRefusals,
  UNAUTHENTICATED,
} from '../../cross-app/cross-app-scenario.ts';
import type { ClientSignIn, CrossAppWorld } from '../../cross-app/cross-app-world.ts';
import type { FormValues } from '../../provider-client.ts';
import { isMinted, nothingMinted, ofRefusal, refusedBy } from '../../steps/rows.ts';

const REQUIRED = [
  'grant_type',
  'requested_token_type',
  'audience',
  'subject_token',
  'subject_token_type',
] as const;

const ONLY_SHOWN = 'RFC 6749 §5.2 shows the header and does not ask for it.';
const UNREAD = 'A server that knows no DPoP reads no header of it (RFC 9449 §5).';
const UNHEARD =
  'A provider may leave resource to the server, as long as its ID-JAG does not name another one.';

export const idpExchangeRefusals = crossAppScenario({
  id: 'idp-exchange-refusals',
  title: 'A client asks for an ID-JAG that it must not get',
  checks: {
    authenticated: 'An exchange without the credentials of the client is refused.',
    'authentication-code': 'An exchange without the credentials is answered 401 invalid_client.',
    'missing-parameter': 'An exchange without a required parameter mints no ID-JAG.',
    'missing-parameter-code':
      'An exchange without a required parameter is answered invalid_request.',
    audience: 'An exchange for an audience that is not registered is refused.',
    'audience-code':
      'An exchange for an audience that is not registered is answered invalid_target.',
    'audience-slash':
      'An audience with another final slash is refused, or the aud is the registered issuer.',
    resource: 'An exchange for a resource that is not of the audience is refused.',
    actor: 'An actor_token without its type, and a type without its token, are refused.',
    doubled: 'An exchange with a parameter given twice is refused.',
    'two-resources': 'Of two resources none is dropped: the ID-JAG has both, or there is none.',
    traded: 'The provider issues no access token for an ID-JAG of its own.',
    policy: 'For a user whom policy refuses the audience, nothing is minted.',
    'error-body': 'A refusal is a JSON object with the code in error, with status 400 or 401.',
    'error-uncached': 'A refusal has Cache-Control: no-store.',
    dpop: 'With a DPoP proof the ID-JAG is bound to its key, or refused.',
  },
  resting: {
    'idp-exchange-refusals.audience': ['audience-slash'],
    'idp-exchange-refusals.doubled': ['two-resources'],
  },
  blockedBy: ['idp-exchange.minted'],
  async run(judge, app) {
    const { world } = app;
    const session = await app.session();
    // What is refused from here on is refused for what is wrong with it.
    const idJag = await app.idJag(session);
    const send = (more: FormValues) => () => app.exchange(session, more);
    const { elsewhere, invented } = world;
    const { audience } = app;

    await judgeRefusals(
      judge,
      app,
      UNAUTHENTICATED.map(([what, shows]) => [
        'authenticated',
        what,
        () => app.exchange(session, {}, { shows }),
      ]),
      (answer, what) => {
        // Whoever shows nothing at all has left something out, and whose secret is empty likewise.
        const isLess = ['no client', 'an empty secret'].includes(what);
        const isMissing = isLess && answer.errorCode === 'invalid_request';
        const isSaid =
          isMissing || (answer.status === 401 && answer.errorCode === 'invalid_client');
        judge.table(
          answer,
          { 'authentication-code': ofRefusal(() => ({ ok: isSaid })) },
          { case: what },
        );
      },
    );
    for (const name of REQUIRED) {
      await judgePart(judge, ['missing-parameter', 'missing-parameter-code'], async () => {
        const answer = await app.exchange(session, { [name]: undefined });
        const codes = [
          'invalid_request',
          ...(name === 'grant_type' ? ['unsupported_grant_type'] : []),
        ];
        const isIdJag = answer.member('issued_token_type') === ID_JAG_TOKEN_TYPE;
        const rows = {
          'missing-parameter': { ok: !(isMinted(answer) && isIdJag) },
          'missing-parameter-code': ofRefusal(({ errorCode = '' }) => ({
            ok: codes.includes(errorCode),
          })),
        };
        judge.table(answer, rows, { case: `without ${name}` });
        judgeError(judge, answer);
      });
    }
    const bare = audience.replace(/\/$/, '');
    await judgeRefusals(
      judge,
      app,
      [`https://${elsewhere}`, `${bare}.${elsewhere}`, bare.slice(0, -1)].map((each) => [
        'audience',
        each,
        // Its resource would be one of another audience.
        send({ audience: each, resource: undefined }),
      ]),
      (answer, what) => {
        const isSaid = () => ({ ok: answer.errorCode === 'invalid_target' });
        judge.table(answer, { 'audience-code': ofRefusal(isSaid) }, { case: what });
        judgeError(judge, answer);
      },
    );
    await judgePart(judge, 'audience-slash', async () => {
      const other = audience.endsWith('/') ? audience.slice(0, -1) : `${audience}/`;
      const answer = await app.exchange(session, { audience: other });
      const token = answer.string('access_token');
      const aud = token === undefined ? undefined : app.open(token).claims['aud'];
      const isResolved = [aud].flat().every((each) => each === audience);
      judge.expect(
        'audience-slash',
        token === undefined || isResolved,
        `aud: ${shown(aud)}`,
        answer,
      );
    });
    const foreign = `${world.services.elsewhere.origin}/${invented.word()}`;
    for (const resource of [foreign, invented.word(), `${audience}#${invented.word()}`]) {
      await judgePart(judge, 'resource', async () => {
        const answer = await app.exchange(session, { resource });
        const named = [openJwt(answer.string('access_token') ?? '')?.claims['resource']].flat();
        const reading = isMinted(answer) && !named.includes(resource) ? UNHEARD : undefined;
        judge.table(answer, { resource: refusedBy(world.breaking) }, { case: resource, reading });
      });
    }
    const twice = (form: FormValues, again: FormValues) => () =>
      app.exchange(session, form, { again });
    const other = `https://${elsewhere}`;
    await judgeRefusals(judge, app, [
      ['actor', 'actor_token alone', send({ actor_token: session.idToken })],
      ['actor', 'actor_token_type alone', send({ actor_token_type: ID_TOKEN_TYPE })],
      ['doubled', 'grant_type', twice({}, { grant_type: TOKEN_EXCHANGE_GRANT })],
      ['doubled', 'subject_token_type', twice({}, { subject_token_type: ID_TOKEN_TYPE })],
      ['doubled', 'requested_token_type', twice({}, { requested_token_type: ID_JAG_TOKEN_TYPE })],
      // Whichever of the two counts: one is not registered.
      ['doubled', 'audience, the registered one first', twice({}, { audience: other })],
      ['doubled', 'audience, the other one first', twice({ audience: other }, { audience })],
    ]);
    await judgePart(judge, 'two-resources', () => judgeTwoResources(judge, app, session));
    await judgePart(judge, 'traded', async () => {
      const traded = await app.client.token({ grant_type: JWT_BEARER_GRANT, assertion: idJag });
      judge.table(traded, { traded: nothingMinted(world.breaking) });
    });
    await judgePart(judge, 'policy', () => judgePolicy(judge, app));
    await judgePart(judge, 'dpop', () => judgeProof(judge, app, session));
  },
});

type Attempt<Name extends string> = (
  judge: Judge<Name>,
  app: CrossAppWorld,
  session: ClientSignIn,
) => Promise<void>;

/** RFC 6749 §5.2. */
function judgeError(judge: Judge<'error-body' | 'error-uncached'>, answer: Answer): void {
  if (isMinted(answer)) return;
  const isSaid = answer.string('error') !== undefined && answer.mediaType === 'application/json';
  judge.table(answer, {
    'error-body': { ok: isSaid && [400, 401].includes(answer.status) },
    'error-uncached': (one) => ({ ...noStore(one), reading: ONLY_SHOWN }),
  });
}

/** RFC 8707 §2 has several; whoever takes one alone refuses two. */
const judgeTwoResources: Attempt<'two-resources'> = async (judge, app, session) => {
  const both = [app.resource, `${app.resource}/${app.world.invented.word()}`];
  const answer = await app.exchange(session, {}, { again: { resource: both[1] } });
  const token = answer.string('access_token');
  const { resource } = token === undefined ? {} : app.open(token).claims;
  const named = [resource].flat();
  const isWhole = resource === undefined || both.every((each) => named.includes(each));
  judge.expect('two-resources', isWhole, `resource: ${shown(resource)}`, answer);
};

async function judgePolicy(judge: Judge<'policy'>, app: CrossAppWorld): Promise<void> {
  const { refusedEmail } = app.given;
  if (refusedEmail === undefined) {
    throw new NeedsOption(
      'Name a user whom policy refuses the audience with --refused-email.',
      '--refused-email',
    );
  }
  const refused = await app.exchange(await app.session(app.client, refusedEmail));
  judge.expect('policy', !isMinted(refused) && !/\beyJ[\w-]+\.eyJ/.test(refused.text), refused);
}

/** ID-JAG §9.8.1.1. */
const judgeProof: Attempt<'dpop'> = async (judge, app, session) => {
  const { facts, time } = app.world;
  const by = (htu: string) => {
    const { jkt, proof } = dpopProof(htu, time.now());
    return { jkt, answer: app.exchange(session, {}, { headers: [['dpop', proof]] }) };
  };
  const right = by(facts.tokenEndpoint ?? '');
  const answer = await right.answer;
  const token = answer.string('access_token');
  if (token === undefined) {
    judge.expect('dpop', true, answer);
    return;
  }
  const { cnf } = app.open(token).claims;
  const isBound = shown(cnf) === shown({ jkt: right.jkt });
  const isKnown = facts.metadata['dpop_signing_alg_values_supported'] !== undefined;
  judge.expect('dpop', isBound, `cnf: ${shown(cnf)}`, {
    expected: `cnf: ${shown({ jkt: right.jkt })}`,
    exchange: answer.exchange,
    reading: isKnown || cnf !== undefined ? undefined : UNREAD,
  });
  if (!isBound) return;
  const other = await by(`https://${app.world.elsewhere}/token`).answer;
  judge.table(other, { dpop: refusedBy(app.world.breaking) }, { case: 'for another endpoint' });
};

/** A proof of a new key for a POST (RFC 9449 §4.2), and the thumbprint of the key. @param now in milliseconds. */
function dpopProof(htu: string, now: number): { readonly proof: string; readonly jkt: string } {
  const key = makeKey();
  const { crv, kty, x, y } = key.jwk;
  const claims = { jti: randomUUID(), htm: 'POST', htu, iat: Math.floor(now / 1000) };
  const header = { typ: 'dpop+jwt', alg: key.algorithm, jwk: { crv, kty, x, y } };
  return { proof: forgeJwt(header, claims, key), jkt: key.kid };
}
