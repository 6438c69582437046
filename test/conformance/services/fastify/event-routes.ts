import type { FastifyInstance } from 'fastify';
import type { JWTPayload } from 'jose';
import type { Subject } from './agents.ts';
import { HttpProblem, LIFE } from './config.ts';
import { eventProblem, handleProblems } from './plumbing.ts';
import { subjectIn } from './providers.ts';
import type { Service } from './service.ts';

const REVOKED = '/identity/assertion/revoked';
/** How long an event is known again. */
const MEMORY = 30 * 86_400;

/** `/agent/event/notify`: security events that are pushed (RFC 8935). */
export async function eventRoutes(app: FastifyInstance, service: Service): Promise<void> {
  const { agents, config, providers, users } = service;
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    'application/secevent+jwt',
    { parseAs: 'string' },
    async (_: unknown, body: string) => body,
  );
  handleProblems(app, service.config, eventProblem);

  app.post<{ Body: string | undefined }>('/agent/event/notify', async ({ body }, reply) => {
    if (body === undefined) throw new HttpProblem(415, 'invalid_request', 'Send an event.');
    const claims = await providers.verifyEvent(body.trim());
    const types = Object.keys(eventsIn(claims));
    if (types.some((type) => type.endsWith(REVOKED))) {
      const subject = whoIn(claims);
      const isNew = providers.once(
        ['event', String(claims.iss), String(claims.jti)],
        config.now() / 1000 + MEMORY,
      );
      if (isNew) revokeAll(subject, cutOffIn(claims));
    }
    return reply.status(202).header('cache-control', 'no-store').send();
  });

  function cutOffIn({ toe, iat = 0 }: JWTPayload): number {
    return Math.min(typeof toe === 'number' ? toe : iat, config.now() / 1000 + LIFE.skew);
  }

  function revokeAll(subject: Subject, cutOff: number): void {
    providers.cutOff(subject, cutOff);
    for (const agent of agents.ofSubject(subject)) {
      if (agent.vouchedAt > cutOff) continue;
      agent.revoke();
      const { email } = agent;
      if (email !== undefined && agents.ofUser(email).length === 0) users.forget(email);
    }
  }
}

function eventsIn({ events }: JWTPayload): object {
  const isObject = typeof events === 'object' && events !== null && !Array.isArray(events);
  if (!isObject || Object.keys(events).length === 0) throw ill('events is missing.');
  return events;
}

/** The subject by `sub` or `sub_id`; by both where they are one. */
function whoIn(claims: JWTPayload): Subject {
  const id = claims['sub_id'];
  if (id === undefined) return subjectIn(claims);
  const { format, iss, sub } = Object(id) as Readonly<Record<string, unknown>>;
  if (format !== 'iss_sub' || typeof sub !== 'string')
    throw ill('sub_id has a format that is not read.');
  if (iss !== claims.iss)
    throw new HttpProblem(400, 'access_denied', 'The subject is of another issuer.');
  if (claims.sub !== undefined && claims.sub !== sub) throw ill('There are two subjects.');
  return subjectIn({ ...claims, sub });
}

function ill(message: string): HttpProblem {
  return new HttpProblem(400, 'invalid_request', message);
}
