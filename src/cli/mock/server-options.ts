import { InvalidArgumentError } from 'commander';
import { type ClientOptions, readClient, readClientLine } from '../../mock/clients/client.ts';
import { SIGNING_ALGORITHMS } from '../../mock/keys/algorithm.ts';
import { DATABASE_PLACE, isDatabasePlace } from '../../mock/store/pg-url.ts';
import { CODE_FORMATS, readCodeFormat } from '../../mock-service/config/code-format.ts';
import { LINK_EXISTING } from '../../mock-service/config/link-existing.ts';
import { isVendorLabel } from '../../mock-service/config/vendor-label.ts';
import { CLIENT_ID, isClientId } from '../../protocol/client-id.ts';
import { DIALECT_IDS, IDENTITY_TYPES } from '../../protocol/constants.ts';
import { CORS_ORIGINS, readCorsOrigin } from '../../protocol/cors-origin.ts';
import { isShownName, SHOWN_NAME } from '../../protocol/shown-name.ts';
import { MOST_KEPT } from '../../traffic/exchange.ts';
import { type Options, option } from '../shell/command.ts';
import {
  collect,
  count,
  email,
  fitting,
  fullUrl,
  oneOf,
  origin,
  repeated,
} from '../shell/option-values.ts';
import { placeOptions } from '../shell/place-options.ts';

const shownName = fitting(SHOWN_NAME, isShownName);

/** What all three servers take. @param usualPort where it listens without `--port`. */
export const serverOptions = (usualPort: number): Options => ({
  ...placeOptions(usualPort),
  '--allow-remote-passwordless-sign-in':
    'allow a --host that others can reach, although sign-in asks for no password',
  '--base-url <url>': [
    'the URL that clients use, if it is not the one that the server listens on',
    origin,
  ],
  '--allow-host <host>': [
    'answer also requests to this HOST or HOST:PORT; repeatable (default: the own URL and place)',
    collect,
  ],
  '--db <place>': [
    'keep the data in this SQLite file, for one process, or in postgres://user@host/name for replicas (default: AGENT_AUTH_DB, or in memory)',
    fitting(DATABASE_PLACE, isDatabasePlace),
  ],
  '--lifetime <name=duration>': [
    'change a lifetime, for example userCode=30s; repeatable',
    collect,
  ],
  '--tls': 'serve https with a certificate made for this run; the ready line names its CA file',
  '--tls-cert <file>': 'serve https with this certificate (PEM)',
  '--tls-key <file>': 'the key of --tls-cert (PEM, without passphrase)',
  '--config <file>': 'read options from this YAML file; the command line takes precedence',
  '--cors <origin>': [
    'let pages of this origin call it from a browser, * for any; repeatable',
    repeated(fitting(CORS_ORIGINS, (text) => readCorsOrigin(text) !== undefined)),
  ],
  '--exchanges <number>': [
    'how many requests and answers are kept for `mock exchanges`; 0 for none (default: 1000)',
    count(MOST_KEPT),
  ],
  '--metadata <name=value>': [
    'set a member of the authorization-server metadata, or with DOCUMENT.NAME of another document; null takes it away; repeatable',
    collect,
  ],
  '--client <id:secret>': [
    'take this client alone, with this secret, a test value (cross-app access); repeatable (default: any)',
    repeated(client),
  ],
  '--fault <name>': ['start with this fault on; repeatable', collect],
  '--no-control':
    'disable the control API (`mock advance`, `mock list` and so on), and the live view',
  '--allow-remote-control': 'let other machines call the control API, with its token',
  '--no-live': 'disable the live view',
  '--algorithm <name>': [
    'what signs (default: RS256 the provider, ES256 the service)',
    SIGNING_ALGORITHMS,
  ],
  '--open': 'open the live view in the browser',
  '--until-stdin-ends':
    'stop also when stdin ends, as it does when the program that holds it has gone',
});

/** The help of all three commands: their options have the same names. */
export const CONFIG_HELP = [
  'A --config file is YAML. Its keys are the long options with _ for -, lists in the plural:',
  '  port: 4800                    also base_url, host, db, tls,',
  '                                tls_cert, tls_key, …',
  '  vendor: acme                  one label, or a list',
  '  types: [anonymous]',
  '  dialect: flat',
  '  quirks: [epoch-seconds]',
  '  faults: [noSlowDown]',
  '  lifetimes: { userCode: 30s }',
  '  metadata: { server: { service_documentation: https://… } }',
  '  trust:                        a URL, or an object:',
  '    - issuer: https://provider.example',
  '      name: Example Provider    also jwks_uri, client_ids, mail_domains',
  '  audiences:                    the same, with issuer, name, scopes; or any',
  '    - https://api.example.com',
  '  resources:                    what needs a token, instead of /api/resource',
  '    - path: /v1/orders/{id}     also method, scope, body, status,',
  '      scope: orders.read        content_type, open',
  '  directory:                    what its directory lists:',
  '    services:                   service_id, service_name, service_url,',
  '      - service_name: orders    methods: [{ method_id, method_url }]',
  '  users:',
  '    - email: alice@example.com  also name, phone; of a provider',
  '                                email_verified, tenant',
  '  clients:                      for cross-app access: id, secret, public,',
  '                                methods, keys, consent,',
  '                                redirect_uris',
  'The keys directory and users have no option. Paths are relative to the file.',
];

export const SERVICE_OPTIONS: Options = {
  '--trust <issuer>': ['accept ID-JAGs of this provider; repeatable', collect],
  '--service-name <name>': [
    'the name of the service on its pages and in its metadata (default: Example Service)',
    shownName,
  ],
  '--dialect <name>': [
    'the family of the protocol that it speaks (default: flat, the one of the specification)',
    DIALECT_IDS,
  ],
  '--quirk <name>': [
    'differ from the dialect as some published services do, for example epoch-seconds; repeatable',
    collect,
  ],
  '--vendor <label>': [
    'a vendor label of the claim grant; repeatable',
    repeated(fitting('letters, digits and dashes, for example "vendor"', isVendorLabel)),
  ],
  '--type <type>': option(
    '--type <type>',
    'offer only this registration type; repeatable',
    IDENTITY_TYPES,
  ).argParser(repeated(oneOf(IDENTITY_TYPES))),
  '--code-format <format>': [
    'what user codes are: digits:6 to digits:12, or letters:5 to letters:12 (default: digits:6)',
    fitting(CODE_FORMATS, (text) => readCodeFormat(text) !== undefined),
  ],
  '--link-existing <mode>': [
    'an ID-JAG that matches an existing account: ask its user, or link it at once (default: ask)',
    LINK_EXISTING,
  ],
  '--pre-claim-scopes <list>':
    'the scopes before a claim, separated by commas or spaces (default: api.read)',
  '--post-claim-scopes <list>': 'the scopes after a claim (default: api.read, api.write)',
  '--protect <rule>': [
    'protect this instead of /api/resource: "METHOD PATH=SCOPE", for example "GET /orders=read"; repeatable',
    collect,
  ],
  '--allow-public': 'let clients redeem ID-JAGs that show nothing but their id (cross-app access)',
  '--rate-limit': 'limit registrations per IP address',
  '--event-base <url>': ['what the types of security events begin with', fullUrl],
  '--accept-resource-audience': 'accept the URL of a resource as the audience of an ID-JAG',
};

/** The options with which a service answers from a transcript. */
export const REPLAY_OPTIONS: Options = {
  '--from <file>':
    'answer as the service did whose transcript this is, with new secrets; with --port, --host, --allow-host and --provider alone',
  '--provider <url>': [
    'with --from: where the provider of the transcript is now (default: the one that an agent names first)',
    origin,
  ],
};

export const PROVIDER_OPTIONS: Options = {
  '--audience <issuer>': [
    'mint ID-JAGs only for this service, and that of `mock up`; repeatable (default: for any)',
    collect,
  ],
  '--auto-approve <email>': [
    'sign in and consent as this user without a page, except after a revocation',
    email,
  ],
  '--provider-name <name>': [
    'the name of the provider on its pages (default: Example Provider)',
    shownName,
  ],
  '--client-id <id>': [
    'the client identifier of agents (default: agent-auth)',
    fitting(CLIENT_ID, isClientId),
  ],
  '--client-name <name>': ['the name of the agent on pages (default: agent-auth)', shownName],
};

function client(text: string): ClientOptions {
  const read = readClientLine(text);
  if (read !== undefined && typeof readClient(read) !== 'string') return read;
  throw new InvalidArgumentError(
    'Use ID:SECRET in printable ASCII, for example app:a-test-secret.',
  );
}
