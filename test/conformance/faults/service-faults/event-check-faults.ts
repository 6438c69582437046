import { empty } from '../../../../src/mock/http/response.ts';
import { PATHS } from '../../../../src/mock-service/config/paths.ts';
import { readingAs } from '../../../../src/mock-service/faults/id-jag-faults.ts';
import { rewire } from '../../../../src/mock-service/index.ts';
import { revokedEventType } from '../../../../src/protocol/constants.ts';
import { SECOND } from '../../../../src/protocol/durations.ts';
import type { JsonObject } from '../../../../src/protocol/json.ts';
import { sha256 } from '../../../../src/runtime/hash.ts';
import type { ProvenServiceFault } from '../proven-fault.ts';
import {
  checkingEvents,
  judgingEvents,
  refusingEvents,
  seeingClaims,
  withoutEventChecks,
} from './event-judging.ts';

const { atEndpoint, atHandler } = rewire;

const EVENTS = { path: PATHS.events, method: 'POST' } as const;

/** The claims that RFC 7519, RFC 8417 and RFC 9493 register for an event. */
const REGISTERED: ReadonlySet<string> = new Set(
  'iss sub sub_id aud jti iat nbf exp toe txn events'.split(' '),
);

/** A subject is another one where the audience is spelled another way: a string, or a list of one. */
const byAudience = (claims: JsonObject): JsonObject => ({
  ...claims,
  sub: `${claims['sub']} for ${JSON.stringify(claims['aud'])}`,
});

/** Faults of judging the events of providers. */
export const EVENT_CHECK_FAULTS = {
  refusedUnknownEvent: {
    description: 'refuses events of a type that it does not know (SSF §4.2)',
    decisions: refusingEvents(({ claims, config }) => {
      const known = revokedEventType(config.eventBase);
      return Object.keys(claims.events).some((type) => type !== known);
    }),
    fails: { 'event-contents': ['unknown', 'caep', 'risc'] },
  },
  uncheckedEventType: {
    description: 'treats every event as a revocation (SSF §4.2)',
    decisions: judgingEvents(() => ({ eventRevokes: () => true })),
    fails: { 'event-contents': ['unknown'] },
  },
  refusedUnknownEventMember: {
    description: 'refuses events with members that it does not know (SSF §4.2)',
    decisions: refusingEvents(({ claims }) =>
      Object.keys(claims).some((name) => !REGISTERED.has(name)),
    ),
    fails: { 'event-contents': ['members'] },
  },
  refusedEventAudienceList: {
    description: 'refuses an event with a list of audiences (RFC 8417 §2.2)',
    decisions: checkingEvents(
      'audience',
      (right) => (facts) =>
        Array.isArray(facts.claims.aud) ? { code: 'invalid_audience' } : right(facts),
    ),
    fails: { 'event-contents': ['audience-list'] },
  },
  ignoredEventOfOtherAudForm: {
    description: 'knows a subject by its audience too, as it is written (RFC 7519 §4.1.3)',
    decisions: (right) =>
      seeingClaims(({ claims }) => byAudience(claims))(readingAs(byAudience)(right)),
    fails: { 'event-reach': ['audience-forms'] },
  },
  extraRefusedEventEffect: {
    description: 'acts on an event for another service, and then refuses it (attack A-27)',
    decisions: withoutEventChecks('audience'),
    parts: (service) =>
      atHandler(service, EVENTS, ({ config }, right) => async (c) => {
        const [, claims = ''] = (await c.req.raw.clone().text()).split('.');
        const answer = await right(c);
        if (!answer.ok) return answer;
        const { aud } = JSON.parse(Buffer.from(claims, 'base64url').toString());
        if ([aud].flat().includes(config.issuer)) return answer;
        const body = { err: 'invalid_audience', description: 'It is for another service.' };
        return Response.json(body, { status: 400, headers: { 'content-language': 'en' } });
      }),
    fails: { 'event-refusals': ['no-effect'] },
  },
  refusedEventExp: {
    description: 'refuses an event with exp (RFC 8417 §2.2)',
    decisions: refusingEvents(({ claims }) => claims['exp'] !== undefined),
    fails: { 'event-contents': ['exp-tolerated'] },
  },
  acceptedMissingEventClaims: {
    description: 'accepts an event without jti or iat (RFC 8417 §2.2)',
    decisions: seeingClaims(({ claims, now }) => ({
      jti: JSON.stringify(claims),
      iat: Math.floor(now / SECOND),
      ...claims,
    })),
    fails: { 'event-refusals': ['ill-formed'] },
  },
  ignoredSubId: {
    description: 'reads sub and ignores sub_id (RFC 9493 §3)',
    decisions: seeingClaims(({ claims: { sub_id: _subId, ...claims } }): JsonObject => claims),
    fails: { 'event-subjects': ['iss-sub'] },
  },
  refusedSubBesideSubId: {
    description: 'refuses sub beside sub_id although they agree (wire contract §7)',
    decisions: refusingEvents(
      ({ claims, revokes }) => revokes && claims.sub !== undefined && claims.sub_id !== undefined,
    ),
    fails: { 'event-subjects': ['agreeing'] },
  },
  uncheckedSubIdFormat: {
    description: 'reads a sub_id of any format (RFC 9493 §3)',
    decisions: (right) => ({
      ...withoutEventChecks('subject-format', 'one-subject')(right),
      eventSubject: ({ claims: { iss, sub, sub_id: subId } }) => ({
        issuer: iss,
        subject: sub ?? (subId && String(subId['sub'] ?? subId['id'] ?? subId['email'])),
      }),
    }),
    fails: { 'event-subjects': ['malformed'] },
  },
  trustedSubIdIssuer: {
    description: 'trusts the issuer that a sub_id names (attack A-27)',
    decisions: withoutEventChecks('subject-issuer', 'one-subject'),
    fails: { 'event-issuer-bounds': ['foreign-sub-id'] },
  },
  acceptedMissingEventSubject: {
    description: 'acknowledges a revocation that names no subject (RFC 8417 §2.2)',
    decisions: withoutEventChecks('subject'),
    fails: { 'event-subjects': ['no-subject'] },
  },
  acceptedTokenAsEvent: {
    description: 'accepts its own tokens as events (RFC 8725 §3.12)',
    parts: (service) =>
      atHandler(service, EVENTS, ({ assertions, tokens }, right) => async (c) => {
        const token = await c.req.raw.clone().text();
        const own = (await tokens.find(sha256(token))) ?? (await assertions.verify(token));
        return own === undefined ? right(c) : empty(202);
      }),
    fails: { 'event-kinds': ['assertion', 'access-token'] },
  },
  uncheckedEventMediaType: {
    description: 'accepts an event of any media type (RFC 8935 §2.1)',
    parts: (service) =>
      atEndpoint(service, EVENTS, ({ reader }) => ({
        reader: { ...reader, accepts: () => true, text: (request) => request.text() },
      })),
    fails: { 'event-transport': ['media-type', 'size'] },
  },
} satisfies Readonly<Record<string, ProvenServiceFault>>;
