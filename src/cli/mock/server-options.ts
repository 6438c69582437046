import { type Command, InvalidArgumentError, Option } from 'commander';
import { MOST_KEPT } from '../../exchanges/exchange.ts';
import { type ClientOptions, readClient, readClientLine } from '../../mock/clients/client.ts';
import { SIGNING_ALGORITHMS } from '../../mock/keys/algorithm.ts';
import { DATABASE_PLACE, isDatabasePlace } from '../../mock/store/pg-url.ts';
import { CODE_FORMATS, readCodeFormat } from '../../mock-service/config/code-format.ts';
import { LINK_EXISTING } from '../../mock-service/config/link-existing.ts';
import { isVendorLabel, VENDOR_LABEL } from '../../mock-service/config/vendor-label.ts';
import { CLIENT_ID, isClientId } from '../../protocol/client-id.ts';
import { DIALECT_IDS, IDENTITY_TYPES } from '../../protocol/constants.ts';
import { CORS_ORIGINS, readCorsOrigin } from '../../protocol/cors-origin.ts';
import { isShownName, SHOWN_NAME } from '../../protocol/shown-name.ts';
import { notes } from '../shell/help-text.ts';

import {
  collect,
  collectIdentityTypes,
  count,
  email,
  fullUrl,
  origin,
} from '../shell/option-values.ts';
import { addPlaceOptions } from '../shell/place-options.ts';

/** What all three servers take. @param usualPort where it listens without `--port`. */
export function addServerOptions(command: Command, usualPort: number): void {
  addPlaceOptions(command, usualPort)
    .option(
      '--allow-remote-passwordless-sign-in',
      'allow a --host that others can reach, although sign-in asks for no password',
    )
    .option(
      '--base-url <url>',
      'the URL that clients use, if it is not the one that the server listens on',
      origin,
    )
    .option(
      '--allow-host <host>',
      'answer also requests to this HOST or HOST:PORT; repeatable (default: the own URL and place)',
      collect,
    )
    .option(
      '--db <place>',
      'keep the data in this SQLite file, for one process, or in postgres://user@host/name for replicas (default: AGENT_AUTH_DB, or in memory)',
      databasePlace,
    )
    .option(
      '--lifetime <name=duration>',
      'change a lifetime, for example userCode=30s; repeatable',
      collect,
    )
    .option(
      '--tls',
      'serve https with a certificate made for this run; the ready line names its CA file',
    )
    .option('--tls-cert <file>', 'serve https with this certificate (PEM)')
    .option('--tls-key <file>', 'the key of --tls-cert (PEM, without passphrase)')
    .option(
      '--config <file>',
      'read options from this YAML file; the command line takes precedence',
    )
    .option(
      '--cors <origin>',
      'let pages of this origin call it from a browser, * for any; repeatable',
      corsOrigin,
    )
    .option(
      '--exchanges <number>',
      'how many requests and answers are kept for `mock exchanges`; 0 for none (default: 1000)',
      count(MOST_KEPT),
    )
    .option(
      '--metadata <name=value>',
      'set a member of the authorization-server metadata, or with DOCUMENT.NAME of another document; null takes it away; repeatable',
      collect,
    )
    .option(
      '--client <id:secret>',
      'take this client alone, with this secret, a test value (cross-app access); repeatable (default: any)',
      client,
    )
    .option('--fault <name>', 'start with this fault on; repeatable', collect)
    .option(
      '--no-control',
      'disable the control API (`mock advance`, `mock list` and so on), and the live view',
    )
    .option('--allow-remote-control', 'let other machines call the control API, with its token')
    .option('--no-live', 'disable the live view')
    .addOption(
      new Option(
        '--algorithm <name>',
        'what signs (default: RS256 the provider, ES256 the service)',
      ).choices(SIGNING_ALGORITHMS),
    )
    .option('--open', 'open the live view in the browser')
    .option(
      '--until-stdin-ends',
      'stop also when stdin ends, as it does when the program that holds it has gone',
    );
  notes(command, CONFIG_HELP);
}

/** For all three commands: their options have the same names. */
const CONFIG_HELP = [
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

export function addServiceOptions(command: Command): void {
  command
    .option('--trust <issuer>', 'accept ID-JAGs of this provider; repeatable', collect)
    .option(
      '--service-name <name>',
      'the name of the service on its pages and in its metadata (default: Example Service)',
      shownName,
    )
    .addOption(
      new Option(
        '--dialect <name>',
        'the family of the protocol that it speaks (default: flat, the one of the specification)',
      ).choices([...DIALECT_IDS]),
    )
    .option(
      '--quirk <name>',
      'differ from the dialect as some published services do, for example epoch-seconds; repeatable',
      collect,
    )
    .option('--vendor <label>', 'a vendor label of the claim grant; repeatable', vendorLabel)
    .addOption(
      new Option('--type <type>', 'offer only this registration type; repeatable')
        .choices([...IDENTITY_TYPES])
        .argParser(collectIdentityTypes),
    )
    .option(
      '--code-format <format>',
      'what user codes are: digits:6 to digits:12, or letters:5 to letters:12 (default: digits:6)',
      codeFormat,
    )
    .addOption(
      new Option(
        '--link-existing <mode>',
        'an ID-JAG that matches an existing account: ask its user, or link it at once (default: ask)',
      ).choices([...LINK_EXISTING]),
    )
    .option(
      '--pre-claim-scopes <list>',
      'the scopes before a claim, separated by commas or spaces (default: api.read)',
    )
    .option('--post-claim-scopes <list>', 'the scopes after a claim (default: api.read, api.write)')
    .option(
      '--protect <rule>',
      'protect this instead of /api/resource: "METHOD PATH=SCOPE", for example "GET /orders=read"; repeatable',
      collect,
    )
    .option(
      '--allow-public',
      'let clients redeem ID-JAGs that show nothing but their id (cross-app access)',
    )
    .option('--rate-limit', 'limit registrations per IP address')
    .option('--event-base <url>', 'what the types of security events begin with', fullUrl)
    .option(
      '--accept-resource-audience',
      'accept the URL of a resource as the audience of an ID-JAG',
    );
}

function databasePlace(text: string): string {
  if (isDatabasePlace(text)) return text;
  throw new InvalidArgumentError(`Use ${DATABASE_PLACE}.`);
}

function vendorLabel(text: string, previous: readonly string[] = []): readonly string[] {
  if (isVendorLabel(text)) return [...previous, text];
  throw new InvalidArgumentError(VENDOR_LABEL);
}

function shownName(text: string): string {
  if (isShownName(text)) return text;
  throw new InvalidArgumentError(`Use ${SHOWN_NAME}.`);
}

function clientId(text: string): string {
  if (isClientId(text)) return text;
  throw new InvalidArgumentError(`Use ${CLIENT_ID}.`);
}

function corsOrigin(text: string, previous: readonly string[] = []): readonly string[] {
  const origin = readCorsOrigin(text);
  if (origin === undefined) throw new InvalidArgumentError(`Use ${CORS_ORIGINS}.`);
  return [...previous, origin];
}

function client(text: string, previous: readonly ClientOptions[] = []): readonly ClientOptions[] {
  const read = readClientLine(text);
  if (read === undefined || typeof readClient(read) === 'string') {
    throw new InvalidArgumentError(
      'Use ID:SECRET in printable ASCII, for example app:a-test-secret.',
    );
  }
  return [...previous, read];
}

function codeFormat(text: string): string {
  if (readCodeFormat(text) !== undefined) return text;
  throw new InvalidArgumentError(`Use ${CODE_FORMATS}.`);
}

export function addProviderOptions(command: Command): void {
  command
    .option(
      '--audience <issuer>',
      'mint ID-JAGs only for this service, and that of `mock up`; repeatable (default: for any)',
      collect,
    )
    .option(
      '--auto-approve <email>',
      'sign in and consent as this user without a page, except after a revocation',
      email,
    )
    .option(
      '--provider-name <name>',
      'the name of the provider on its pages (default: Example Provider)',
      shownName,
    )
    .option('--client-id <id>', 'the client identifier of agents (default: agent-auth)', clientId)
    .option(
      '--client-name <name>',
      'the name of the agent on pages (default: agent-auth)',
      shownName,
    );
}
