import type { ProxyFor } from '../../runtime/proxy.ts';
import type { Context } from '../shell/context.ts';
import { readNetwork } from '../shell/network.ts';
import { type Check, type CheckGroup, failed, ok, warn } from './check.ts';

interface NetworkGroup extends CheckGroup {
  /** `undefined` when the network cannot be used as it is set up. */
  readonly proxyFor: ProxyFor | undefined;
}

/** How the network would be reached, by the code that every command uses. */
export async function checkNetwork(context: Context): Promise<NetworkGroup> {
  const { source } = context.world.environment;
  const checks: Check[] = [];
  let proxyFor: ProxyFor | undefined;
  try {
    ({ proxyFor } = readNetwork(source, undefined));
    const proxy = proxyFor('https://service.example');
    checks.push(
      proxy === undefined
        ? ok('proxy', 'No proxy.', { details: { proxy: null } })
        : ok('proxy', `${proxy.host} (${proxy.variable}), except for this machine and NO_PROXY.`, {
            details: { proxy: proxy.host, variable: proxy.variable },
          }),
    );
  } catch (error) {
    checks.push(failed('proxy', error, context));
  }
  const authorities = await checkAuthorities(context);
  checks.push(authorities);
  // Node acts on this value only.
  if (source['NODE_TLS_REJECT_UNAUTHORIZED'] === '0') checks.push(VERIFICATION_OFF);
  return {
    title: 'Network',
    checks,
    proxyFor: authorities.status === 'fail' ? undefined : proxyFor,
  };
}

const VERIFICATION_OFF = warn(
  'tls_verification',
  'NODE_TLS_REJECT_UNAUTHORIZED=0 is set. agent-auth verifies certificates anyway, but other Node programs, those run by exec included, trust any server.',
  { hint: 'Unset it, and name the CA certificate of a server that you trust with --ca FILE.' },
);

async function checkAuthorities(context: Context): Promise<Check> {
  try {
    const file = await context.authorities();
    if (file === undefined) return ok('ca', 'CA certificates: those that Node trusts');
    const { path, certificates } = file;
    const expired = certificates.filter(({ validTo }) => Date.parse(validTo) < Date.now()).length;
    const count = certificates.length === 1 ? 'one more' : `${certificates.length} more`;
    const check = ok('ca', `CA certificates: those that Node trusts, and ${count} from ${path}`, {
      details: { file: path, certificates: certificates.length },
    });
    return expired === 0
      ? check
      : { ...check, status: 'warn', summary: `Expired certificates in ${path}: ${expired}.` };
  } catch (error) {
    return failed('ca', error, context);
  }
}
