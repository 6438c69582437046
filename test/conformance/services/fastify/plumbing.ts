import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Config, HttpProblem } from './config.ts';

/** How an area of the service writes what went wrong. */
export type ProblemWriter = (problem: HttpProblem, reply: FastifyReply) => unknown;

export function noStore(reply: FastifyReply): FastifyReply {
  return reply.header('cache-control', 'no-store').header('pragma', 'no-cache');
}

/** What Fastify itself refuses: a body that cannot be read, a schema that does not fit. */
export function problemOf(error: FastifyError | HttpProblem, { has }: Config): HttpProblem {
  if (error instanceof HttpProblem) return error;
  if (has('verbose-errors')) {
    return new HttpProblem(error.statusCode ?? 500, 'invalid_request', error.stack ?? '');
  }
  const status = error.statusCode ?? 500;
  if (status >= 500) return new HttpProblem(500, 'server_error', 'Something went wrong here.');
  return new HttpProblem(status, 'invalid_request', error.message);
}

export function handleProblems(app: FastifyInstance, config: Config, write: ProblemWriter): void {
  app.setErrorHandler<FastifyError | HttpProblem>((error, _request, reply) => {
    const problem = problemOf(error, config);
    return write(problem, noStore(reply).status(problem.statusCode).headers(problem.headers));
  });
}

/** RFC 6749 §5.2 */
export const oauthProblem: ProblemWriter = ({ code, message, extra }, reply) =>
  reply.send({ error: code, error_description: message, ...extra });

/** As OAuth writes it, with the member that older agents read. */
export const agentProblem: ProblemWriter = ({ statusCode, code, message, extra }, reply) => {
  if (statusCode === 401 && !reply.hasHeader('www-authenticate')) {
    reply.header('www-authenticate', `AgentAuth error="${code}"`);
  }
  return reply.send({ error: code, error_description: message, message, ...extra });
};

/** RFC 8935 §2.4 has a name of its own for a signature that does not hold. */
const EVENT_CODES: Readonly<Record<string, string>> = { invalid_signature: 'invalid_key' };

export const eventProblem: ProblemWriter = ({ code, message }, reply) =>
  reply
    .header('content-language', 'en')
    .send({ err: EVENT_CODES[code] ?? code, description: message });

/** Reads forms whose parameters are there once each. */
export function readForms(app: FastifyInstance): void {
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    async (_request: FastifyRequest, body: string) => {
      const form: Record<string, string> = Object.create(null);
      for (const [name, value] of new URLSearchParams(body)) {
        if (name in form) throw new HttpProblem(400, 'invalid_request', 'A parameter is repeated.');
        form[name] = value;
      }
      return form;
    },
  );
}

/** What comes by another name is of a page that rebinds it. */
export function checkHosts(app: FastifyInstance, { issuer, now, has }: Config): void {
  const { host, port } = new URL(issuer);
  app.addHook('onRequest', async (request) => {
    if (request.headers.host !== host && request.headers.host !== `localhost:${port}`) {
      throw new HttpProblem(421, 'misdirected_request', 'This host is not served here.');
    }
  });
  app.addHook('onSend', async (request, reply) => {
    if (has('reflected-cors') && request.headers.origin !== undefined) {
      reply.header('access-control-allow-origin', request.headers.origin);
      reply.header('access-control-allow-credentials', 'true');
    }
    // Date tells the clock by which everything here expires.
    reply.header('x-content-type-options', 'nosniff').header('date', new Date(now()).toUTCString());
  });
}

export function iso(seconds: number): string {
  return new Date(seconds * 1000).toISOString();
}
