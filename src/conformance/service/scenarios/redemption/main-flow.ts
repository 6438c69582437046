import { JWT_BEARER_GRANT, SECOND } from '../../../../protocol/index.ts';
import { NotApplicable } from '../../../engine/judge.ts';
import { has, isPresent, isText, mediaType, member, noStore, when } from '../../../engine/rows.ts';
import { judgedCrossApp, listsProfile, NOT_ASKED } from '../../cross-app/cross-app.ts';
import { Redeemer } from '../../cross-app/redeemer.ts';
import { serviceScenario } from '../../service-world.ts';
import { granted, noRefreshToken } from '../../steps/answers.ts';
import { serverDocument } from '../../steps/metadata-documents.ts';
import { isSecureUrl } from '../../steps/urls.ts';

/** Longer than impatient clients wait. Milliseconds. */
const IN_TIME = 5 * SECOND;

export const redemption = serviceScenario({
  id: 'redemption',
  title: 'A client redeems an ID-JAG for an access token',
  checks: {
    granted: 'A right ID-JAG of an authenticated client is answered with an access token.',
    'token-type': '`token_type` of the answer is Bearer.',
    'expires-in': '`expires_in`, where it is there, is a number.',
    uncached: 'The answer is JSON that no cache keeps.',
    'in-time': 'The answer comes within 5 seconds.',
    'no-refresh-token': 'The answer has no refresh token.',
    'resource-told': 'The answer names the resource that the token is for.',
    works: 'The token opens the resource, or is said to be active by introspection.',
    'list-of-one': 'An ID-JAG whose `aud` is a list with the issuer alone is redeemed.',
    parameters: 'The parameters `scope` and `resource` may repeat what the ID-JAG says.',
    'empty-parameters': 'A parameter without a value counts as left out.',
    'unknown-claims': 'An ID-JAG with a claim that nobody knows is redeemed.',
  },
  blockedBy: ['cross-app-metadata.token-endpoint'],
  async run(judge, world) {
    const redeemer = new Redeemer(world);
    const answer = await redeemer.redeemNew();
    const { issuer, jwksUri } = world.providers.provider;
    // What most servers lack that were never judged before.
    const expected = `An access token for an ID-JAG of ${issuer}, which the server has to trust, with the keys at ${jwksUri}.`;
    if (!judge.table(answer, { granted }, { expected })) return;
    judge.table(answer, {
      'token-type': member('token_type', (type) => isText(type) && /^bearer$/i.test(type)),
      'expires-in': member('expires_in', (time) => time === undefined || typeof time === 'number'),
      uncached: [mediaType('application/json'), noStore],
      'in-time': { ok: answer.duration <= IN_TIME, seen: `It took ${answer.duration} ms.` },
      'no-refresh-token': noRefreshToken,
      'resource-told': member('resource', when(redeemer.resource !== undefined, isPresent)),
    });
    const claims = { [world.invented.member()]: { [world.invented.word()]: [1, null] } };
    judge.table(await redeemer.redeemNew({ claims }), { 'unknown-claims': granted });
    const { resource, scopes } = redeemer;
    const repeated = {
      ...(resource !== undefined && { resource: resource.id }),
      ...(scopes.length > 0 && { scope: scopes.join(' ') }),
    };
    for (const [check, form] of [
      ['parameters', repeated],
      ['empty-parameters', { code: '', scope: '' }],
    ] as const) {
      judge.table(await redeemer.redeemNew({}, undefined, { form }), { [check]: granted });
    }
    const list = { claims: { aud: [world.facts.issuer] } };
    judge.table(await redeemer.redeemNew(list), { 'list-of-one': granted });
    const token = answer.string('access_token') ?? '';
    if (redeemer.resource === undefined) {
      judge.table(await redeemer.introspect(token), {
        works: member('active', (active) => active === true),
      });
      return;
    }
    const called = await redeemer.call(token);
    judge.expect('works', ![401, 403].includes(called.status) && called.status < 500, called);
  },
});

export const crossAppMetadata = serviceScenario({
  id: 'cross-app-metadata',
  title: 'The metadata says that ID-JAGs are redeemed',
  safe: true,
  checks: {
    profile: '`authorization_grant_profiles_supported` has the ID-JAG profile.',
    grant: `Where the profile is listed, \`grant_types_supported\` has ${JWT_BEARER_GRANT}.`,
    'no-issuers': '`authorization_grant_profiles_supported` names no issuer.',
    'token-endpoint': '`token_endpoint` is an https URL, or http on loopback.',
    'authorization-endpoint':
      '`authorization_endpoint` is there: MCP clients refuse metadata without it.',
    'response-types':
      '`response_types_supported` is a list: MCP clients refuse metadata without it.',
    'challenge-methods':
      '`code_challenge_methods_supported` has S256: MCP clients stop where it is absent.',
  },
  async run(judge, world) {
    if (judgedCrossApp(world.facts) === undefined) throw new NotApplicable(NOT_ASKED);
    const isProfiled = listsProfile(world.facts);
    const { answer } = await serverDocument(world);
    const namesUrl = (list: unknown) => Array.isArray(list) && list.some(isUrl);
    judge.table(answer, {
      profile: member('authorization_grant_profiles_supported', () => isProfiled),
      grant: isProfiled ? member('grant_types_supported', has(JWT_BEARER_GRANT)) : undefined,
      'no-issuers': member('authorization_grant_profiles_supported', (list) => !namesUrl(list)),
      'token-endpoint': member('token_endpoint', isSecureUrl),
      'authorization-endpoint': member('authorization_endpoint', isText),
      'response-types': member('response_types_supported', (list) => Array.isArray(list)),
      'challenge-methods': member('code_challenge_methods_supported', has('S256')),
    });
    judge.skip('grant', 'The profile is not listed.');
  },
});

function isUrl(value: unknown): boolean {
  return typeof value === 'string' && /^https?:/i.test(value);
}
