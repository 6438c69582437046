import { replacing } from '../../mock/config/replacing.ts';
import { atEndpoint, atHandler } from '../../mock/faults/endpoint.ts';
import { slowly } from '../../mock/faults/slowly.ts';
import { on, withJson, withMembers } from '../../mock/http/tamper.ts';
import { mcpResource, PATHS } from '../config/paths.ts';
import type { RedemptionFacts } from '../redemption/redemption-checks.ts';
import type { ClientToken } from '../store/client-token-store.ts';
import { requireChecks } from './check-lists.ts';
import { atServerMetadata } from './discovery-faults.ts';
import type { Redecided, ServiceFault } from './service-fault.ts';
import { atGranted } from './token-faults.ts';

/**
 * An ID-JAG that fails a check of its redemption is redeemed where this holds.
 * @param name of the check.
 * @throws TypeError when no check has it.
 */
export function tolerated(
  name: string,
  isTolerated: (facts: RedemptionFacts) => boolean = () => true,
): Redecided {
  requireChecks('redemptionChecks', [name]);
  return (right) => ({
    ...right,
    redemptionChecks: right.redemptionChecks.map((check) =>
      check.name === name
        ? { ...check, holds: (facts) => isTolerated(facts) || check.holds(facts) }
        : check,
    ),
  });
}

class OddJti extends Error {}

/** Faults: what it does wrong as the resource authorization server of cross-app access. */
export const CROSS_APP_FAULTS = {
  slowTokenEndpoint: {
    description:
      'answers each token request 10 seconds late: clients that give up lose what it spent',
    parts: (mock) => slowly(mock, PATHS.token),
  },
  missingAuthorizationEndpoint: {
    description: 'leaves authorization_endpoint out: MCP clients cannot read its metadata',
    answers: on(atServerMetadata, withMembers({ authorization_endpoint: undefined })),
  },
  missingChallengeMethods: {
    description: 'leaves code_challenge_methods_supported out: clients that need PKCE stop',
    answers: on(atServerMetadata, withMembers({ code_challenge_methods_supported: undefined })),
  },
  noClientAuthentication: {
    description: 'takes confidential clients without their credentials (RFC 6749 §3.2.1)',
    config: (right) => ({
      ...right,
      allowPublic: true,
      clients: right.clients.map((each) => ({ ...each, methods: [...each.methods, 'none'] })),
    }),
  },
  acceptedAudienceList: {
    description: 'redeems an ID-JAG that is for other services, too (ID-JAG §4.4.1, aud)',
    decisions: tolerated('audience', ({ config, idJag }) =>
      idJag.audiences.includes(config.issuer),
    ),
  },
  acceptedAudiencePrefix: {
    description: 'redeems an ID-JAG whose aud only begins with its issuer (ID-JAG §4.4.1)',
    decisions: tolerated('audience', ({ config, idJag: { audiences } }) => {
      const [audience, another] = audiences;
      return another === undefined && audience?.startsWith(config.issuer) === true;
    }),
  },
  acceptedForeignClient: {
    description: 'redeems an ID-JAG that names another client than sends it (ID-JAG §4.4.1)',
    decisions: tolerated('client'),
  },
  acceptedForeignResource: {
    description: 'redeems an ID-JAG for the resource of another service (EMA §7.6.2)',
    decisions: tolerated('resource'),
  },
  ignoredConfirmation: {
    description: 'redeems a bound ID-JAG without a proof of its key (ID-JAG §9.8.1.2, cnf)',
    decisions: tolerated('bound-key'),
  },
  acceptedRedeemedIdJag: {
    description: 'redeems the same ID-JAG more than once (EMA §7.4.2, jti)',
    config: (right) => ({ ...right, idJagReuse: true }),
  },
  crashingOddJti: {
    description: 'answers 500 to an ID-JAG whose jti is no text (RFC 7519 §4.1.7)',
    parts: (mock) =>
      atHandler(mock, { path: PATHS.token }, ({ decisions }, right) => {
        const readIdJag: typeof decisions.readIdJag = (claims, context) => {
          if (typeof claims['jti'] !== 'string') throw new OddJti();
          return decisions.readIdJag(claims, context);
        };
        return (c) =>
          right(c, { decisions: { ...decisions, readIdJag } }).catch((error: unknown) => {
            if (error instanceof OddJti) return new Response('Internal error', { status: 500 });
            throw error;
          });
      }),
  },
  extraRedeemedRefreshToken: {
    description: 'gives a refresh token for an ID-JAG (ID-JAG §4.4.3)',
    answers: on(
      atGranted,
      // The answer to a registration names no resource.
      withJson((body) => ('resource' in body ? { ...body, refresh_token: 'rt_endless' } : body)),
    ),
  },
  ignoredTokenResource: {
    description: 'opens its API and /mcp with the token for either (RFC 8707 §2, EMA §5.1)',
    decisions: (right) => ({
      ...right,
      judgeCall: ({ token, ...call }) =>
        right.judgeCall({ ...call, token: token && { ...token, resource: call.url } }),
    }),
    parts: (mock) =>
      atEndpoint(mock, { path: PATHS.mcp }, ({ clientTokens, config }) => ({
        clientTokens: replacing(clientTokens, {
          find: async (...by) => {
            const token = await clientTokens.find(...by);
            return token && { ...token, resource: mcpResource(config.issuer) };
          },
        }),
      })),
  },
  staleIntrospection: {
    description: 'says of a revoked token that it is active (RFC 7662 §2.2)',
    parts: (mock) => {
      const { clientTokens, clock } = mock;
      const revoked = new Map<string, ClientToken>();
      const remembering = replacing(clientTokens, {
        revoke: async (hash, clientId) => {
          const token = await clientTokens.find(hash);
          if (token !== undefined) revoked.set(hash, token);
          return clientTokens.revoke(hash, clientId);
        },
      });
      const recalling = replacing(clientTokens, {
        find: async (hash) => {
          const token = (await clientTokens.find(hash)) ?? revoked.get(hash);
          return token !== undefined && clock.now() < token.expiresAt ? token : undefined;
        },
      });
      const at = { path: PATHS.introspection };
      return {
        ...atEndpoint(mock, at, () => ({ clientTokens: recalling })),
        clientTokens: remembering,
      };
    },
  },
} satisfies Readonly<Record<string, ServiceFault>>;
