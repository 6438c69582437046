import { ID_JAG_TOKEN_TYPE } from '../../../../protocol/index.ts';
import { shown } from '../../../engine/judge.ts';
import { has, is, member } from '../../../engine/rows.ts';
import { isObject } from '../../../http/answer.ts';
import { crossAppScenario } from '../../cross-app/cross-app-scenario.ts';
import { metadataPlaces } from '../../provider-facts.ts';

const OPENID_PATH = '/.well-known/openid-configuration';

/** OpenID Connect Discovery §3. Clients refuse a document without them. */
const OPENID_MEMBERS = [
  'authorization_endpoint',
  'token_endpoint',
  'jwks_uri',
  'response_types_supported',
  'subject_types_supported',
  'id_token_signing_alg_values_supported',
] as const;

/**
 * The reading of an issuer that ends in a slash, which is no part of the URL of its metadata (OpenID Connect Discovery
 * §4.1).
 */
const FINAL_SLASH = 'An issuer may end in a slash; who is told the other spelling refuses it.';
const PLAIN = 'RFC 7636 §4.2 has plain for clients that cannot S256; those of MCP never send it.';

export const idpMetadata = crossAppScenario({
  id: 'idp-metadata',
  title: 'A client reads the metadata of its identity provider',
  safe: true,
  checks: {
    issuer:
      'The issuer of the metadata is the URL that it was asked by, at the path of RFC 8414 or of OpenID Connect.',
    complete: 'The OpenID metadata has every member that clients need of it.',
    'id-jag-listed': 'The metadata lists the ID-JAG among its requested token types.',
    challenges: 'The metadata lists S256 as its method of code challenges, and not plain.',
  },
  resting: {
    'provider-discovery.issuer': ['issuer'],
    'provider-discovery.id-jag-advertised': ['id-jag-listed'],
  },
  async run(judge, { world }) {
    const { facts } = world;
    for (const place of metadataPlaces(facts.target)) {
      const answer = await world.send(place);
      const { json } = answer;
      if (answer.status !== 200 || !isObject(json)) continue;
      const isSlashed = json['issuer'] === `${facts.target}/`;
      judge.table(answer, {
        issuer: member('issuer', is(facts.target), {
          expected: `issuer: ${facts.target}`,
          reading: isSlashed ? FINAL_SLASH : undefined,
        }),
        'id-jag-listed': member(
          'identity_chaining_requested_token_types_supported',
          has(ID_JAG_TOKEN_TYPE),
        ),
        challenges: [
          member('code_challenge_methods_supported', has('S256')),
          member('code_challenge_methods_supported', (list) => !has('plain')(list), {
            reading: PLAIN,
          }),
        ],
      });
      if (!place.endsWith(OPENID_PATH)) continue;
      const missing = OPENID_MEMBERS.filter((name) => json[name] === undefined);
      judge.expect('complete', missing.length === 0, `without ${shown(missing)}`, answer);
    }
    judge.skip('complete', 'There is no OpenID metadata.');
  },
});
