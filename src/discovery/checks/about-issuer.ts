import { isSameOrigin, withoutFinalSlash } from '../../protocol/index.ts';
import { defect, type Read } from '../defect.ts';
import { inBlock } from '../find-block.ts';
import type { Defect } from '../model.ts';
import { listOf, memberOf, shown, textOf } from '../read.ts';
import { webUrl } from '../url.ts';

export function aboutIssuer({ found, at, endpoints, chosen }: Read): readonly Defect[] {
  const list: Defect[] = [];
  const issuer = textOf(memberOf(found.server, 'issuer'));
  if (found.isWhole && (memberOf(found.server, 'issuer') ?? undefined) === undefined) {
    list.push(
      defect(
        'issuer-missing',
        'warning',
        ['server', 'issuer'],
        'The server metadata names no issuer.',
        'Add the issuer (RFC 8414 §2).',
      ),
    );
  }
  const [its, here] = [webUrl(issuer), webUrl(at)];
  if (its !== undefined && here !== undefined && its.host !== here.host) {
    list.push(
      defect(
        'issuer-host-differs',
        'error',
        ['server', 'issuer'],
        `The metadata of ${here.host} names the issuer ${shown(issuer)}: agents refuse it (RFC 8414 §3.3).`,
        `Serve each issuer its own metadata; here it has to be on ${here.host}.`,
      ),
    );
  }
  // The specification publishes both documents as one.
  for (const document of ['resource', 'server'] as const) {
    for (const server of listOf(memberOf(found[document], 'authorization_servers')).map(textOf)) {
      if (issuer === undefined || server === undefined || server === issuer) continue;
      if (withoutFinalSlash(server) !== withoutFinalSlash(issuer)) continue;
      list.push(
        defect(
          'issuer-final-slash',
          'warning',
          [document, 'authorization_servers'],
          `The issuer is ${shown(issuer)} in its own metadata, and ${shown(server)} here.`,
          'Spell it alike in both (RFC 9728 §3.3).',
        ),
      );
    }
  }
  const { register } = endpoints;
  const home = its ?? here;
  if (home !== undefined && register !== undefined && !isSameOrigin(register, home.origin)) {
    list.push(
      defect(
        'foreign-endpoint',
        'warning',
        [found.document, chosen?.member ?? inBlock(found, 'identity_endpoint')],
        `Agents register at ${new URL(register).origin}, which is not the origin of the issuer.`,
        'Serve it on the origin of the issuer: agents must not post elsewhere unasked.',
      ),
    );
  }
  return list;
}
