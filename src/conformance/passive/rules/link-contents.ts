import type { PassiveRule } from '../passive-rule.ts';
import { eachMember, fingerprintOf, fingerprintsIn } from '../read-exchange.ts';

export const linkContents: PassiveRule = {
  id: 'link-contents',
  requirements: [
    { id: 'DEV-11', level: 'should', by: 'service' },
    { id: 'DEV-14', level: 'should', by: 'service' },
  ],
  finds: 'puts the code, or the claim token, into the link that it has shown to the user',
  spares: '`verification_uri_complete`, which is to have the code in it',
  watch: () => {
    return ({ exchange }) => {
      if (exchange.to !== 'service') return [];
      const members = [...eachMember(exchange.response.body)];
      const inLink = new Set(
        members.flatMap(([name, value]) =>
          name === 'verification_uri' && typeof value === 'string' ? fingerprintsIn(value) : [],
        ),
      );
      const isThere = (wanted: string) =>
        members.some(([name, value]) => {
          return name === wanted && inLink.has(fingerprintOf(value) ?? '');
        });
      const code = {
        requirement: 'DEV-11',
        message:
          'The `verification_uri` contains the user_code: whoever gets the link needs no code.',
      };
      const token = {
        requirement: 'DEV-14',
        message:
          'The `verification_uri` contains the claim_token, which only the agent is to know.',
      };
      return [...(isThere('user_code') ? [code] : []), ...(isThere('claim_token') ? [token] : [])];
    };
  },
};
