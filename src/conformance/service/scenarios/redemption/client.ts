import { JWT_BEARER_GRANT, MEDIA_TYPE } from '../../../../protocol/index.ts';
import { judgePart, NeedsOption, NotApplicable } from '../../../engine/judge.ts';
import type { Answer } from '../../../http/answer.ts';
import { Redeemer, type Redeeming } from '../../cross-app/redeemer.ts';
import { expectNotRedeemed } from '../../cross-app/refusals.ts';
import { basic, type TestClient } from '../../cross-app/test-client.ts';
import { serviceScenario } from '../../service-world.ts';
import { granted, isGranted, notLimited } from '../../steps/answers.ts';
import { CLIENT_PATHS } from '../../test-provider.ts';

const NO_OTHER =
  'Only one client was named: add a second one by --client-id ID --client-secret @FILE, or --client-document.';
const MISSING =
  'RFC 6749 §5.2 has invalid_request for whatever parameter is missing, a client_id too.';
const PUBLIC = 'The client that was named is public: it has no secret.';

type Unauthenticated = 'required' | 'id-alone' | 'wrong-secret' | 'unknown';

export const redemptionClient = serviceScenario({
  id: 'redemption-client',
  title: 'An ID-JAG is redeemed by its own client alone, which authenticates',
  checks: {
    required: 'A request that says nothing of its client is refused.',
    'id-alone': 'A confidential client that shows nothing but its id is refused.',
    'wrong-secret': 'A wrong secret, or none of the keys of the client, is refused.',
    unknown: 'A client that nobody knows is refused, whatever secret it shows.',
    code: 'A client that did not authenticate is answered invalid_client, with 401 where it tried by a header.',
    'other-client': 'The ID-JAG of one client is refused from another one that authenticates.',
    'not-spent': 'What another client tried to redeem can still be redeemed by its own.',
    'two-methods': 'Credentials in the header and in the body of one request are refused.',
    'form-encoded': 'Basic credentials are form-decoded.',
    query: 'An assertion in the URL is ignored.',
  },
  resting: {
    'redemption-audience.client': ['other-client'],
    'redemption-client.other-client': ['not-spent'],
  },
  blockedBy: ['redemption.granted'],
  async run(judge, world) {
    const redeemer = new Redeemer(world);
    const { client, facts } = redeemer;
    const isByHeader = client.method === 'client_secret_basic';
    await redeemer.unlock();
    const refuse = (check: Unauthenticated, what: string, answer: Answer) => {
      if (!expectNotRedeemed(judge, check, answer, { case: what })) return;
      // RFC 6749 §5.2 asks for 401 where the header Authorization was tried, and has a code for public clients.
      const isTried = check !== 'required' && check !== 'id-alone' && isByHeader;
      const isRight =
        answer.errorCode === 'invalid_client' &&
        (answer.status === 401 || (answer.status === 400 && !isTried));
      const isNamed = check === 'id-alone' && answer.errorCode === 'unauthorized_client';
      const isMissing = check === 'required' && answer.errorCode === 'invalid_request';
      judge.expect('code', isRight || isNamed, answer, {
        case: what,
        reading: isMissing ? MISSING : undefined,
      });
    };
    const redeemed = (redeeming: Redeeming, claims = {}) =>
      redeemer.redeemNew({ claims }, undefined, redeeming);

    refuse('required', 'no client at all', await redeemed({ client: null }));
    if (client.method === 'none') judge.skip(['id-alone', 'wrong-secret', 'two-methods'], PUBLIC);
    else {
      refuse(
        'id-alone',
        'the id alone',
        await redeemed({ client: { id: client.id, method: 'none' } }),
      );
      refuse('wrong-secret', 'a wrong secret', await redeemed({ client: impostor(client) }));
    }
    const unknown: TestClient = {
      ...{ id: world.invented.word(), secret: world.invented.token() },
      method: client.method === 'client_secret_post' ? 'client_secret_post' : 'client_secret_basic',
    };
    const byUnknown = await redeemed({ client: unknown }, { client_id: unknown.id });
    refuse('unknown', 'an unknown client', byUnknown);

    if (client.secret === undefined) judge.skip('two-methods', 'The client has no secret.');
    else {
      const twice = await redeemed({
        client: { ...client, method: 'client_secret_post' },
        headers: [['authorization', basic(client.id, client.secret)]],
      });
      expectNotRedeemed(judge, 'two-methods', twice, { case: 'Basic and client_secret' });
    }
    await judgePart(judge, ['other-client', 'not-spent'], async () => {
      const other = await otherClient();
      const idJag = redeemer.idJag();
      const answer = await redeemer.redeem(idJag, { client: other });
      if (!expectNotRedeemed(judge, 'other-client', answer)) return;
      judge.table(await redeemer.redeem(idJag), { 'not-spent': granted });
    });
    await judgeEncoded();
    const assertion = redeemer.idJag();
    const shown = redeemer.show(client);
    const url = new URL(world.client.endpoint('tokenEndpoint'));
    url.search = new URLSearchParams({ assertion }).toString();
    const sent = await world.send(url.href, {
      from: 'agent',
      headers: [['content-type', MEDIA_TYPE.form], ...shown.headers],
      body: new URLSearchParams({ grant_type: JWT_BEARER_GRANT, ...shown.form }).toString(),
    });
    expectNotRedeemed(judge, 'query', notLimited(sent), { case: 'the assertion in the query' });

    /** A client that can redeem its own ID-JAGs. @throws NeedsOption where there is none. */
    async function otherClient(): Promise<TestClient> {
      const { documented, otherClient: named } = facts;
      for (const each of [named, documented]) {
        if (each === undefined || each.id === client.id) continue;
        const own = await redeemed({ client: each }, { client_id: each.id });
        if (isGranted(own)) return each;
      }
      throw new NeedsOption(NO_OTHER, '--client-id');
    }

    async function judgeEncoded(): Promise<void> {
      const all = [client, facts.otherClient].filter((each) => each !== undefined);
      const odd = all.find(
        ({ id, method, secret = '' }) =>
          method === 'client_secret_basic' &&
          basic(id, secret) !== `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
      );
      if (odd === undefined) {
        judge.skip(
          'form-encoded',
          'No id or secret that was given has a character that is encoded.',
        );
        return;
      }
      const answer = await redeemed({ client: odd }, { client_id: odd.id });
      judge.table(answer, { 'form-encoded': granted }, { case: `the client ${odd.id}` });
    }

    /** A client that has the id of another, and not what shows that it is that one. */
    function impostor(right: TestClient): TestClient {
      return right.key === undefined
        ? { ...right, secret: world.invented.token() }
        : { ...right, key: world.providers.untrusted.clientKey };
    }
  },
});

const REPLAYED = 'RFC 7523 §3 leaves it to the server whether it keeps the jti of what it took.';

export const redemptionDocuments = serviceScenario({
  id: 'redemption-documents',
  title: 'A client is what its metadata document says',
  checks: {
    taken: 'A client that its document describes redeems an ID-JAG, by an assertion of its key.',
    mismatch: 'A document whose `client_id` is another URL describes nobody.',
    secret: 'A document with a shared secret describes nobody.',
    redirect: 'A redirect in the place of a document is not followed.',
    'assertion-needed': 'A client whose document has keys is refused without an assertion.',
    'other-key': 'An assertion that is signed with another key is refused.',
    audience: 'An assertion for another server is refused.',
    expired: 'An assertion that has expired is refused.',
    replay: 'An assertion of a client is taken once.',
  },
  blockedBy: ['redemption.granted'],
  costly: true,
  async run(judge, world) {
    const redeemer = new Redeemer(world);
    if (world.facts.metadata['client_id_metadata_document_supported'] !== true) {
      throw new NotApplicable(
        'The metadata does not say that clients may have metadata documents (client_id_metadata_document_supported).',
      );
    }
    const { provider, untrusted } = world.providers;
    const { documented } = redeemer.facts;
    const at = (path: string): TestClient => ({ ...documented, id: provider.issuer + path });
    const redeem = (client: TestClient, redeeming: Redeeming = {}) => {
      const claims = { client_id: client.id };
      return redeemer.redeemNew({ claims }, undefined, { client, ...redeeming });
    };
    await redeemer.unlock();
    if (!judge.table(await redeem(documented), { taken: granted })) return;
    for (const check of ['mismatch', 'secret', 'redirect'] as const) {
      expectNotRedeemed(judge, check, await redeem(at(CLIENT_PATHS[check])));
    }
    const { id } = documented;
    const wrong = [
      ['assertion-needed', { client: { id, method: 'none' } }],
      ['other-key', { client: { ...documented, key: untrusted.clientKey } }],
      ['audience', { clientClaims: { aud: `https://${world.elsewhere}` } }],
      ['expired', { clientClaims: { iat: 1, exp: 61 } }],
    ] as const satisfies readonly (readonly [string, Redeeming])[];
    for (const [check, redeeming] of wrong) {
      expectNotRedeemed(judge, check, await redeem(documented, redeeming));
    }
    const clientClaims = { jti: provider.unique('ca') };
    if (judge.table(await redeem(documented, { clientClaims }), { taken: granted })) {
      const again = await redeem(documented, { clientClaims });
      expectNotRedeemed(judge, 'replay', again, { reading: REPLAYED });
    }
  },
});
