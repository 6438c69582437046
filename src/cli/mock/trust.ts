import type { JsonObject } from '../../protocol/json.ts';
import { displayText } from '../../protocol/text.ts';
import { urlProblem } from '../../protocol/urls.ts';
import { usageError } from '../shell/cli-error.ts';
import type { Context } from '../shell/context.ts';
import type { Outcome } from '../shell/exit-codes.ts';
import type { Rendering } from '../shell/output.ts';
import { facts } from '../terminal/facts.ts';
import { callControl } from './controls/call-control.ts';
import { findMock } from './controls/find-mocks.ts';

export interface MockTrustOptions {
  readonly name?: string;
  readonly jwksUri?: string;
  /** Of `--client-id`. */
  readonly clientId?: readonly string[];
}

/** A provider that the mock service trusts, as it says. */
interface MockTrusted {
  readonly issuer: string;
  readonly name: string;
  /** `undefined`: by its metadata, when a key is needed. */
  readonly jwksUri: string | undefined;
  readonly clientIds: readonly string[];
  /** Every issuer that it trusts now. */
  readonly trust: readonly string[];
  /** Everything, by its name on the wire. */
  readonly body: JsonObject;
}

/** Has the running mock service trust one more provider, until it is reset. */
export async function mockTrust(
  context: Context,
  issuer: string,
  { name, jwksUri, clientId }: MockTrustOptions,
): Promise<Outcome> {
  if (clientId?.includes('')) throw usageError('--client-id must not be empty.');
  const target = await findMock(context, 'service');
  const body = await callControl(context, target, '/trust', {
    // As it is spelled: `iss` is compared character for character.
    issuer: checkedUrl(issuer, 'The issuer'),
    ...(name !== undefined && { name }),
    ...(jwksUri !== undefined && { jwks_uri: checkedUrl(jwksUri, '--jwks-uri') }),
    ...(clientId && { client_ids: clientId }),
  });
  context.output.result(presentTrust(target.issuer, readTrusted(body)));
  return 'done';
}

function checkedUrl(url: string, what: string): string {
  if (urlProblem(url) === undefined) return url;
  throw usageError(
    `${what} must be a full URL, https or on loopback, such as https://host.example.`,
  );
}

function readTrusted(body: JsonObject): MockTrusted {
  const { client_ids: clientIds, issuer, jwks_uri: jwksUri, name, trust } = body;
  return {
    issuer: String(issuer),
    name: String(name),
    jwksUri: typeof jwksUri === 'string' ? jwksUri : undefined,
    clientIds: Array.isArray(clientIds) ? clientIds.map(String) : [],
    trust: Array.isArray(trust) ? trust.map(String) : [],
    body,
  };
}

const BY_METADATA = 'where its metadata says, else /.well-known/jwks.json';

function presentTrust(
  service: string,
  { body, clientIds, issuer, jwksUri, name, trust }: MockTrusted,
): Rendering {
  const others = trust.filter((each) => each !== issuer);
  return {
    schema: 'mockTrust',
    json: () => ({ service, ...body }),
    human: (style) =>
      [
        `${style.green('✓')} The service at ${service} trusts ${displayText(issuer, 200)} until it is reset.`,
        facts(style, [
          ['shown as', displayText(name, 200)],
          ['keys', jwksUri === undefined ? BY_METADATA : displayText(jwksUri, 200)],
          ['clients', displayText(clientIds.join(' '), 1000)],
          ['also trusted', others.length === 0 ? undefined : displayText(others.join(' '), 1000)],
        ]),
      ].join('\n'),
  };
}
