import { urlProblem, withoutFinalSlash } from '../../protocol/urls.ts';
import { usageError } from '../shell/cli-error.ts';
import type { Context } from '../shell/context.ts';
import type { Outcome } from '../shell/exit-codes.ts';
import { callControl } from './controls/call-control.ts';
import { findMock } from './controls/find-mocks.ts';
import { readTrusted } from './controls/mock-trusted.ts';
import { presentTrust } from './present-trust.ts';

export interface MockTrustOptions {
  readonly name?: string;
  readonly jwksUri?: string;
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
    issuer: withoutFinalSlash(checkedAddress(issuer, 'The issuer')),
    ...(name !== undefined && { name }),
    ...(jwksUri !== undefined && { jwks_uri: checkedAddress(jwksUri, '--jwks-uri') }),
  });
  context.output.result(presentTrust(target.issuer, readTrusted(body)));
  return 'done';
}

function checkedAddress(address: string, what: string): string {
  if (urlProblem(address) === undefined) return address;
  throw usageError(`${what} is a whole address, https or on loopback: https://host.example.`);
}
