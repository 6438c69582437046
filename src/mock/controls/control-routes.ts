import { instant } from '../../protocol/instant.ts';
import { isJsonObject, type JsonObject } from '../../protocol/json.ts';
import { exchangeJson } from '../../traffic/exchange-json.ts';
import { transcript } from '../../traffic/transcript.ts';
import type { AuditRecord } from '../audit/audit.ts';
import { CLIENT_AUTH_METHODS, type Client, type ClientOptions } from '../clients/client.ts';
import type { HostCheck } from '../http/host-check.ts';
import type { Context, Route } from '../http/request.ts';
import { json } from '../http/response.ts';
import { checkControlAccess } from './control-access.ts';
import { CONTROL_ROOT } from './control-paths.ts';
import type { ClockMove, ControlState, Controls } from './controls.ts';
import {
  controlEnvelope,
  controlProblem,
  readControlBody,
  readCount,
  readDuration,
  readNames,
  readOptionalNames,
  readOptionalText,
  requireMembers,
} from './read-control.ts';

/** A control: its path below `/__mock`, and what it answers. */
export interface ControlRoute {
  readonly method: Route['method'];
  readonly path: string;
  run(c: Context): Promise<JsonObject>;
}

/** A control that tells. */
export function get(path: string, run: ControlRoute['run']): ControlRoute {
  return { method: 'GET', path, run };
}

/** A control that changes something. */
export function post(path: string, run: ControlRoute['run']): ControlRoute {
  return { method: 'POST', path, run };
}

/** How the controls are reached by HTTP. */
export interface ControlAccess {
  /** What a call carries as `Authorization: Bearer`. At least 20 characters. */
  readonly token: string;
  /** Calls from other machines are admitted, too. Default: only those from this one. */
  readonly allowRemote?: boolean | undefined;
}

interface ControlRoutesOptions extends ControlAccess {
  readonly issuer: string;
  readonly isOurHost: HostCheck;
  /** What a mock has beside the controls of both. */
  readonly own: readonly ControlRoute[];
}

const MIN_TOKEN_LENGTH = 20;
const MAX_PAGE = 1_000;

/**
 * `/__mock`: the controls over HTTP, the same for both mocks, and what a mock has of its own.
 * @throws TypeError when the token could be guessed.
 */
export function controlRoutes(
  controls: Controls,
  { token, allowRemote = false, issuer, isOurHost, own }: ControlRoutesOptions,
): readonly Route[] {
  if (token.length < MIN_TOKEN_LENGTH) {
    throw new TypeError(`A control token must have at least ${MIN_TOKEN_LENGTH} characters.`);
  }
  const guarded = {
    envelope: controlEnvelope,
    guard: (c: Context) =>
      checkControlAccess(c, { token, allowRemote, ownOrigin: issuer, isOurHost }),
  };
  const routes = [...sharedControls(controls), ...own].map(
    ({ method, path, run }): Route => ({
      ...guarded,
      method,
      path: CONTROL_ROOT + path,
      handle: async (c) => json(await run(c)),
    }),
  );
  const unknown = (method: Route['method']): Route => ({
    ...guarded,
    method,
    path: `${CONTROL_ROOT}/*`,
    handle: () => {
      throw controlProblem('not_found', 'There is no such control.');
    },
  });
  return [...routes, unknown('GET'), unknown('POST')];
}

function sharedControls(controls: Controls): readonly ControlRoute[] {
  return [
    get('', async () => stateBody(await controls.state())),
    post('/clock', async (c) =>
      stateBody(await controls.moveClock(readMove(await readControlBody(c)))),
    ),
    get('/faults', async () => {
      const { faults: on } = await controls.state();
      return {
        faults: controls.faults().map((fault) => ({ ...fault, on: on.includes(fault.name) })),
      };
    }),
    post('/faults', async (c) => {
      const faults = controls.readFaults(readNames(await readControlBody(c), 'faults'));
      return stateBody(await controls.setFaults(faults));
    }),
    post('/keys/rotate', async (c) => {
      const lead = readDuration(await readControlBody(c), 'lead');
      const { kid, signsFrom } = await controls.rotateKeys(lead);
      return { kid, signs_from: instant(signsFrom) };
    }),
    get('/clients', async () => ({ clients: (await controls.clients()).map(clientJson) })),
    post('/clients/set', async (c) => {
      const clients = await controls.setClient(readClientJson(await readControlBody(c)));
      return { clients: clients.map(clientJson) };
    }),
    post('/clients/remove', async (c) => {
      const id = readOptionalText(await readControlBody(c), 'id') ?? '';
      return { clients: (await controls.removeClient(id)).map(clientJson) };
    }),
    post('/tokens/end', async (c) => {
      const body = requireMembers(await readControlBody(c), ['email', 'client_id']);
      const [email, clientId] = ['email', 'client_id'].map((name) => readOptionalText(body, name));
      return { ended: await controls.endTokens({ email, clientId }) };
    }),
    post('/reset', async () => stateBody(await controls.reset())),
    get('/audit', async (c) => {
      const after = readCount(c, 'after', Number.MAX_SAFE_INTEGER);
      const limit = readCount(c, 'limit', MAX_PAGE);
      return { entries: (await controls.audit({ after, limit })).map(auditBody) };
    }),
    get('/exchanges', (c) => exchangesBody(controls, c)),
  ];
}

/** A page of the exchanges; with `format=transcript` the document that does not change between two runs. */
async function exchangesBody(controls: Controls, c: Context): Promise<JsonObject> {
  const since = readCount(c, 'since', Number.MAX_SAFE_INTEGER);
  const format = c.req.query('format') ?? 'json';
  if (format !== 'json' && format !== 'transcript') {
    throw controlProblem('invalid_request', 'format must be json or transcript.');
  }
  const limit = readCount(c, 'limit', MAX_PAGE) ?? (format === 'json' ? 100 : undefined);
  const { exchanges, ...page } = await controls.exchanges({ since, limit });
  return format === 'json'
    ? { exchanges: exchanges.map(exchangeJson), ...page }
    : { ...transcript(exchanges) };
}

function readMove(body: JsonObject): ClockMove {
  const advance = readDuration(body, 'advance');
  const { offset_ms: offset } = body;
  if (advance !== undefined && offset === undefined) return { advance };
  if (advance === undefined && typeof offset === 'number') return { offset };
  throw controlProblem(
    'invalid_request',
    'Send either advance, a duration like 11m, or offset_ms, a number.',
  );
}

function stateBody(state: ControlState): JsonObject {
  return {
    mock: state.mock,
    issuer: state.issuer,
    now: instant(state.now),
    clock_offset_ms: state.clockOffset,
    faults: state.faults,
    known_faults: state.knownFaults,
    own_faults: state.ownFaults,
  };
}

function auditBody({ seq, at, actor, action, registrationId, detail }: AuditRecord): JsonObject {
  return {
    seq,
    at: instant(at),
    actor,
    action,
    registration_id: registrationId ?? null,
    detail: detail ?? {},
  };
}

/** What a client has at a provider alone, which checks it. */
interface OfProvider {
  readonly redirectUris?: readonly string[];
  readonly consent?: string;
}

const MEMBERS = ['id', 'secret', 'public', 'methods', 'keys', 'redirect_uris', 'consent'];

/** A client without its secret. */
function clientJson(client: Client & OfProvider) {
  const { consent, id, keys, methods, public: isPublic, redirectUris } = client;
  return {
    id,
    public: isPublic,
    methods,
    ...(keys && { keys }),
    ...(redirectUris && { redirect_uris: redirectUris }),
    ...(consent !== undefined && { consent }),
  };
}

/** A client with the members that it has in a configuration file. @throws WireProblem that names the member. */
function readClientJson(body: JsonObject): ClientOptions & OfProvider {
  const { keys, public: isPublic } = requireMembers(body, MEMBERS);
  const [id, secret] = [readOptionalText(body, 'id') ?? '', readOptionalText(body, 'secret')];
  if (isPublic !== undefined && typeof isPublic !== 'boolean') {
    throw controlProblem('invalid_request', 'public must be true or false.');
  }
  if (keys !== undefined && !(isJsonObject(keys) && Array.isArray(keys['keys']))) {
    throw controlProblem('invalid_request', 'keys must be a set of public keys (RFC 7517 §5).');
  }
  const named = readOptionalNames(body, 'methods');
  const methods = named?.map((name) => {
    const known = CLIENT_AUTH_METHODS.find((each) => each === name);
    if (known !== undefined) return known;
    throw controlProblem('invalid_request', `methods has ${CLIENT_AUTH_METHODS.join(', ')}.`);
  });
  const redirectUris = readOptionalNames(body, 'redirect_uris');
  const consent = readOptionalText(body, 'consent');
  return {
    id,
    ...(secret !== undefined && { secret }),
    ...(isPublic !== undefined && { public: isPublic }),
    ...(keys !== undefined && { keys: keys as unknown as NonNullable<ClientOptions['keys']> }),
    ...(methods && { methods }),
    ...(redirectUris && { redirectUris }),
    ...(consent !== undefined && { consent }),
  };
}
