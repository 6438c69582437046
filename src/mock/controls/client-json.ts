import { isJsonObject, type JsonObject } from '../../protocol/json.ts';
import { CLIENT_AUTH_METHODS, type Client, type ClientOptions } from '../clients/client.ts';
import { controlProblem } from './control-problem.ts';
import { readNames, readOptionalText, requireMembers } from './read-control.ts';

/** What a client has at a provider alone, which checks it. */
interface OfProvider {
  readonly redirectUris?: readonly string[];
  readonly consent?: string;
}

const MEMBERS = ['id', 'secret', 'public', 'methods', 'keys', 'redirect_uris', 'consent'];

/** A client without its secret. */
export function clientJson(client: Client & OfProvider) {
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
export function readClientJson(body: JsonObject): ClientOptions & OfProvider {
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

function readOptionalNames(body: JsonObject, name: string): readonly string[] | undefined {
  return body[name] === undefined ? undefined : readNames(body, name);
}
