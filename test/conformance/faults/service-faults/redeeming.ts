import type { Client } from '../../../../src/mock/clients/client.ts';
import type { Context } from '../../../../src/mock/http/request.ts';
import type { Tamper } from '../../../../src/mock/http/tamper.ts';
import { PATHS } from '../../../../src/mock-service/config/paths.ts';
import type { Redecided, Rewired } from '../../../../src/mock-service/faults/service-fault.ts';
import { atGranted } from '../../../../src/mock-service/faults/token-faults.ts';
import { rewire, type ServiceContext } from '../../../../src/mock-service/index.ts';
import type { RedemptionFacts } from '../../../../src/mock-service/redemption/redemption-checks.ts';
import { decodeJwt } from '../../../../src/protocol/jwt.ts';

const { atHandler, on, withJson } = rewire;

type Json = Readonly<Record<string, unknown>>;

/** A right ID-JAG is redeemed only where this holds. */
export function demanding(holds: (facts: RedemptionFacts) => boolean): Redecided {
  return (right) => ({
    ...right,
    redemptionChecks: [
      ...right.redemptionChecks,
      { name: 'further', claim: 'aud', description: 'a further demand', holds },
    ],
  });
}

/** Its claims are read as though they were others: at the token endpoint alone. */
export function redeemedAs(change: (claims: Json) => Json): Rewired {
  return (mock) =>
    atHandler(mock, { path: PATHS.token }, ({ decisions }, right) => {
      const readIdJag: typeof decisions.readIdJag = (claims, context) =>
        decisions.readIdJag(change(claims) as typeof claims, context);
      return (c) => right(c, { decisions: { ...decisions, readIdJag } });
    });
}

/** The answer to a redemption is another: that to a registration names no resource. */
export function answeringRedeemed(change: (body: Json) => Json): Tamper {
  return on(
    atGranted,
    withJson((body) => ('resource' in body ? change(body) : body)),
  );
}

/** A redemption as it was requested, which may be changed before it is handled. */
export interface Requested {
  readonly form: URLSearchParams;
  readonly headers: Headers;
  readonly query: URLSearchParams;
  /** The claims of the ID-JAG. */
  readonly claims: Json;
  readonly mock: ServiceContext;
}

/**
 * A token request is handled as though it were another, or with other parts.
 * @param change Returns these parts.
 * @param answer Makes another answer of the right one.
 * @param refused Makes another problem of that by which it is refused.
 */
export function requestedAs(
  change: (
    requested: Requested,
  ) => Partial<ServiceContext> | undefined | Promise<Partial<ServiceContext> | undefined>,
  answer: (response: Response, requested: Requested) => Response | Promise<Response> = (response) =>
    response,
  refused: (problem: unknown, requested: Requested) => unknown = (problem) => problem,
): Rewired {
  return (mock) =>
    atHandler(mock, { path: PATHS.token, method: 'POST' }, (service, right) => async (c) => {
      const form = new URLSearchParams(await c.req.raw.clone().text());
      const { searchParams: query } = new URL(c.req.url);
      const assertion = form.get('assertion') ?? query.get('assertion') ?? '';
      const claims = decodeJwt(assertion)?.payload ?? {};
      const headers = new Headers(c.req.raw.headers);
      const requested = { form, headers, query, claims, mock: service };
      const parts = await change(requested);
      headers.delete('content-length');
      const body = form.toString();
      const raw = new Request(c.req.url, { method: 'POST', headers, body });
      const response = await right(withRequest(c, raw), parts).catch((problem: unknown) => {
        throw refused(problem, requested);
      });
      return answer(response, requested);
    });
}

function withRequest({ req }: Context, raw: Request): Context {
  return {
    req: {
      ...{ raw, method: req.method, url: req.url },
      header: (name) => raw.headers.get(name) ?? undefined,
      query: (name) => req.query(name),
      param: (name) => req.param(name),
    },
  };
}

/** The clients of a service, with one more, or another one of that id. */
export function withClient({ config }: ServiceContext, client: Client): Partial<ServiceContext> {
  const others = config.clients.filter(({ id }) => id !== client.id);
  return { config: { ...config, clients: [...others, client] } };
}

/** Whoever says that id needs nothing else. */
export function withoutCredentials(
  { form, headers, mock }: Requested,
  id: string,
): Partial<ServiceContext> {
  for (const name of ['client_secret', 'client_assertion', 'client_assertion_type'])
    form.delete(name);
  headers.delete('authorization');
  form.set('client_id', id);
  return withClient(mock, { id, methods: ['none'], public: true });
}

/** An answer with other members. */
export async function answeredAs(
  response: Response,
  change: (body: Json) => Json,
): Promise<Response> {
  const body = change((await response.json()) as Json);
  return Response.json(body, { status: response.status, headers: response.headers });
}
