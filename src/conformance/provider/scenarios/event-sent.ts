import { JWT_TYPE, MEDIA_TYPE } from '../../../protocol/index.ts';
import { CannotTest } from '../../engine/judge.ts';
import { isObject } from '../../http/answer.ts';
import { openJwt, signatureProblem } from '../../jwt/open.ts';
import { providerScenario } from '../provider-scenario.ts';
import { subIdProblem } from '../steps/sub-id.ts';
import { isType } from './mint.ts';

export const eventSent = providerScenario({
  id: 'event-sent',
  title: 'A service is told that a consent was taken back',
  checks: {
    sent: 'Taking a consent back sends an event to the events_endpoint of the service.',
    request: 'The event is a POST of one JWT as application/secevent+jwt that accepts JSON.',
    type: 'The header of the event has the typ secevent+jwt.',
    claims: 'The event has iss, the issuer of the metadata, iat, jti and events, an object each.',
    audience: 'The aud of the event is the service.',
    'no-exp': 'The event has no exp.',
    'event-type': 'The event is of the type that the service lists.',
    'one-event': 'A token carries one event.',
    subject: 'The event names its subject as the ID-JAG did.',
    'sub-id': 'A sub_id has the members of its format.',
    signed: 'The event is signed by a key of the published set.',
  },
  async run(judge, world) {
    const service = world.audience();
    const session = await world.session();
    const { sub } = world.open(await world.idJag(session, service.issuer)).claims;
    await world.revoke(session, service.issuer);
    const arrived = await world.delivered(service, 1);
    const [delivery] = service.deliveries;
    judge.expect(
      'sent',
      arrived,
      service.hits.length === 0 ? 'no request at all' : service.hits.join(', '),
      { expected: `a POST to ${service.eventsEndpoint}` },
    );
    if (delivery === undefined) throw new CannotTest('No event came.');
    const { body, exchange, headers, method } = delivery;
    const tell = (name: CheckOfEvent, ok: boolean, expected: string, seen: unknown) =>
      judge.expect(
        name,
        ok,
        typeof seen === 'string' ? seen : (JSON.stringify(seen) ?? 'nothing'),
        { expected, exchange },
      );
    const type = (headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase();
    const accept = headers.get('accept') ?? '';
    const opened = openJwt(body.trim());
    tell(
      'request',
      method === 'POST' &&
        type === MEDIA_TYPE.securityEvent &&
        accept.includes('application/json') &&
        opened !== undefined,
      `POST, Content-Type ${MEDIA_TYPE.securityEvent}, Accept application/json, and a JWT as body`,
      `${method}, Content-Type ${type ?? 'missing'}, Accept ${accept || 'missing'}`,
    );
    if (opened === undefined) throw new CannotTest('What came is no JWT.');
    const { claims, header } = opened;
    tell('type', isType(header['typ'], JWT_TYPE.securityEvent), 'typ secevent+jwt', header['typ']);
    const { aud, events, exp, iat, iss, jti, sub_id: subId } = claims;
    const types = isObject(events) ? Object.keys(events) : [];
    tell(
      'claims',
      iss === world.facts.issuer &&
        typeof iat === 'number' &&
        typeof jti === 'string' &&
        jti !== '' &&
        isObject(events) &&
        types.length > 0 &&
        types.every((name) => isObject(events[name])),
      `iss ${world.facts.issuer}, iat, jti and events of objects`,
      { iss, iat, jti, events },
    );
    tell('audience', [aud].flat().includes(service.issuer), `aud ${service.issuer}`, aud);
    tell('no-exp', exp === undefined, 'no exp', `exp ${String(exp)}`);
    tell('event-type', types.includes(service.listedEvent), service.listedEvent, types.join(', '));
    tell('one-event', types.length <= 1, 'one event', types.join(', '));
    const inSubId = isObject(subId) ? subId['sub'] : undefined;
    const named = [claims['sub'], inSubId].filter((name) => name !== undefined);
    tell(
      'subject',
      named.length > 0 && named.every((name) => name === sub),
      `the subject ${String(sub)}, in sub or sub_id`,
      { sub: claims['sub'], sub_id: subId },
    );
    if (subId === undefined) judge.skip('sub-id', 'The event has no sub_id.');
    else {
      const problem = subIdProblem(subId, world.facts.issuer);
      tell('sub-id', problem === undefined, 'a sub_id of RFC 9493', problem);
    }
    const unsigned = signatureProblem(opened, await world.keySet());
    tell('signed', unsigned === undefined, 'a signature by a published key', unsigned);
  },
});

type CheckOfEvent =
  | 'request'
  | 'type'
  | 'claims'
  | 'audience'
  | 'no-exp'
  | 'event-type'
  | 'one-event'
  | 'subject'
  | 'sub-id'
  | 'signed';
