import type { JsonObject } from '../../protocol/json.ts';
import { displayText } from '../../protocol/text.ts';
import { urlProblem, withoutFinalSlash } from '../../protocol/urls.ts';
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
}

/** A provider that the mock service trusts, as it says. */
interface MockTrusted {
  readonly issuer: string;
  readonly name: string;
  readonly jwksUri: string;
  /** Every issuer that it trusts now. */
  readonly trust: readonly string[];
  /** Everything, by its name on the wire. */
  readonly body: JsonObject;
}

/** Has the running mock service trust one more provider, until it is reset. */
export async function mockTrust(
  context: Context,
  issuer: string,
  { name, jwksUri }: MockTrustOptions,
): Promise<Outcome> {
  const target = await findMock(context, 'service');
  const body = await callControl(context, target, '/trust', {
    // As `--trust` of `mock service` has it.
    issuer: withoutFinalSlash(checkedUrl(issuer, 'The issuer')),
    ...(name !== undefined && { name }),
    ...(jwksUri !== undefined && { jwks_uri: checkedUrl(jwksUri, '--jwks-uri') }),
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
  const { issuer, jwks_uri: jwksUri, name, trust } = body;
  return {
    issuer: String(issuer),
    name: String(name),
    jwksUri: String(jwksUri),
    trust: Array.isArray(trust) ? trust.map(String) : [],
    body,
  };
}

function presentTrust(
  service: string,
  { body, issuer, jwksUri, name, trust }: MockTrusted,
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
          ['keys', displayText(jwksUri, 200)],
          ['also trusted', others.length === 0 ? undefined : displayText(others.join(' '), 1000)],
        ]),
      ].join('\n'),
  };
}
