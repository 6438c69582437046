import { displayText } from '../../protocol/text.ts';
import type { Rendering } from '../shell/output.ts';
import { facts } from '../terminal/facts.ts';
import type { MockTrusted } from './controls/mock-trusted.ts';

export function presentTrust(
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
          ['beside', others.length === 0 ? undefined : displayText(others.join(' '), 1000)],
        ]),
      ].join('\n'),
  };
}
