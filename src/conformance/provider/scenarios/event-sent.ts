import { JWT_TYPE, MEDIA_TYPE } from '../../../protocol/index.ts';
import { CannotTest, type Judge, judgePart, type Reading, shown } from '../../engine/judge.ts';
import { isAbsent, isNumber, isText, member } from '../../engine/rows.ts';
import { isObject } from '../../http/answer.ts';
import { isType, openJwt } from '../../jwt/open.ts';
import { type ProviderWorld, providerScenario, type UserSession } from '../provider-world.ts';
import { signedBy } from '../steps/rows.ts';
import type { TestService } from '../test-service.ts';

/** How far two clocks may be apart. Milliseconds. */
const SKEW = 60_000;

export const eventSent = providerScenario({
  id: 'event-sent',
  title: 'A service receives an event when a consent is revoked',
  checks: {
    sent: 'Revoking a consent sends an event to the events_endpoint of the service.',
    request:
      'The event is a JWT, posted as application/secevent+jwt, with Accept: application/json.',
    type: 'The typ of the event is secevent+jwt.',
    claims:
      'The event has the iss of the metadata, iat, jti, and events with an object for each type.',
    audience: 'The aud of the event is the service.',
    'no-exp': 'The event has no exp.',
    time: 'A toe of the event is the time at which its user revoked.',
    'event-type': 'The event has the type that the service lists.',
    'one-event': 'The token carries one event.',
    subject: 'The event names the sub of the ID-JAG, in sub or sub_id.',
    'sub-id': 'A sub_id has the members of its format (RFC 9493).',
    signed: 'The event is signed by a key of the published key set.',
  },
  resting: {
    'consent-revoked.accepted': ['sent'],
    'event-sent.sent': [
      'request',
      'type',
      'claims',
      'audience',
      'no-exp',
      'time',
      'event-type',
      'one-event',
      'subject',
      'sub-id',
      'signed',
    ],
  },
  blockedBy: ['mint.minted'],
  async run(judge, world) {
    const service = world.audience();
    const session = await world.session();
    const { sub } = world.open(await world.idJag(session, service.issuer)).claims;
    const before = world.time.now();
    await world.revoke(session, service.issuer);
    const after = world.time.now();
    const arrived = await world.delivered(service, 1);
    const [delivery] = service.deliveries;
    judge.expect(
      'sent',
      arrived,
      `${service.hits.join(', ') || 'no request at all'} ${world.inTime}`,
      {
        case: `POST ${service.eventsEndpoint}`,
      },
    );
    if (delivery === undefined) {
      throw new CannotTest(
        `No event came ${world.inTime}; for a provider that sends later, raise --timeout.`,
      );
    }
    const { body, exchange, headers, method } = delivery;
    const type = (headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase();
    const accept = headers.get('accept') ?? '';
    const opened = openJwt(body.trim());
    const isRequest =
      method === 'POST' &&
      type === MEDIA_TYPE.securityEvent &&
      accept.includes('application/json') &&
      opened !== undefined;
    judge.expect(
      'request',
      isRequest,
      `${method}, Content-Type: ${type || 'none'}, Accept: ${accept || 'none'}`,
      { exchange },
    );
    if (opened === undefined) throw new CannotTest('The body of the request is not a JWT.');
    const { claims, header } = opened;
    const { events, iat, iss, jti, sub_id: subId, toe } = claims;
    const types = isObject(events) ? Object.keys(events) : [];
    const inSubId = isObject(subId) ? subId['sub'] : undefined;
    const named = [claims['sub'], inSubId].filter((name) => name !== undefined);
    const isEvent =
      iss === world.facts.issuer &&
      typeof iat === 'number' &&
      isText(jti) &&
      jti !== '' &&
      isObject(events) &&
      types.length > 0 &&
      types.every((name) => isObject(events[name]));
    const problem = subId === undefined ? undefined : subIdProblem(subId, world.facts.issuer);
    if (subId === undefined) judge.skip('sub-id', 'The event has no sub_id.');
    if (toe === undefined) judge.skip('time', 'The event has no toe.');
    const rows = {
      type: {
        ok: isType(header['typ'], JWT_TYPE.securityEvent),
        seen: `typ ${shown(header['typ'])}`,
      },
      claims: { ok: isEvent, seen: shown({ iss, iat, jti, events }) },
      audience: member('aud', (aud) => [aud].flat().includes(service.issuer), {
        expected: `aud: ${service.issuer}`,
      }),
      'no-exp': member('exp', isAbsent),
      time:
        toe === undefined
          ? undefined
          : member('toe', (at) => isBetween(at, before - SKEW, after + SKEW), {
              expected: `toe: about ${Math.floor(before / 1000)}`,
            }),
      'event-type': ofListedType(service, types),
      'one-event': { ok: types.length <= 1, seen: types.join(', ') },
      subject: {
        ok: named.length > 0 && named.every((name) => name === sub),
        seen: `${shown({ sub: claims['sub'], sub_id: subId })} for the sub ${shown(sub)}`,
      },
      'sub-id':
        subId === undefined ? undefined : { ok: problem === undefined, seen: problem ?? '' },
    };
    judge.table(claims, rows, { exchange });
    judge.table(opened, { signed: signedBy(opened, await world.keySet()) }, { exchange });
    await judgePart(judge, 'event-type', () => judgeOtherVendor(judge, world, session));
  },
});

/** Whether a NumericDate (RFC 7519 §2) lies between two instants, in milliseconds. */
function isBetween(date: unknown, from: number, to: number): boolean {
  return isNumber(date) && date * 1000 >= from && date * 1000 <= to;
}

function ofListedType(service: TestService, types: readonly string[]): Reading {
  return {
    ok: types.some((type) => service.listedEvents.includes(type)),
    seen: types.join(', ') || 'no event',
    expected: service.listedEvents.join(' or '),
  };
}

/**
 * A service of another vendor: what the specification shows is not among its types. A provider that knows no
 * other one may send nothing.
 */
async function judgeOtherVendor(
  judge: Judge<'event-type'>,
  world: ProviderWorld,
  session: UserSession,
): Promise<void> {
  const service = world.audience();
  service.listedEvents = [service.traits.listedEvent];
  await world.idJag(session, service.issuer);
  await world.revoke(session, service.issuer);
  await world.delivered(service, 1);
  const [delivery] = service.deliveries;
  const events = delivery && openJwt(delivery.body.trim())?.claims['events'];
  if (!isObject(events)) return;
  const { exchange } = delivery ?? {};
  judge.table(events, { 'event-type': ofListedType(service, Object.keys(events)) }, { exchange });
}

/** The members of each format of a subject identifier (RFC 9493 §3.2). */
const MEMBERS: Readonly<Record<string, readonly string[]>> = {
  account: ['uri'],
  email: ['email'],
  iss_sub: ['iss', 'sub'],
  opaque: ['id'],
  phone_number: ['phone_number'],
  did: ['url'],
  uri: ['uri'],
  aliases: ['identifiers'],
};

/** What is wrong with a `sub_id`, as a sentence; undefined when nothing is. */
function subIdProblem(subId: unknown, issuer: string): string | undefined {
  if (!isObject(subId)) return 'It is not an object.';
  const { format } = subId;
  if (typeof format !== 'string') return 'It has no format.';
  const members = MEMBERS[format];
  // A registered format with unknown members.
  if (members === undefined) return undefined;
  const missing = members.filter((name) => subId[name] === undefined || subId[name] === '');
  if (missing.length > 0) return `Its format is ${format}, and it has no ${missing.join(', ')}.`;
  return format === 'iss_sub' && subId['iss'] !== issuer
    ? `Its iss is ${JSON.stringify(subId['iss'])}, not the provider's.`
    : undefined;
}
