import type { PassiveRule } from '../passive-rule.ts';
import { eachMember, fingerprintOf, fingerprintsIn } from '../read-exchange.ts';
import { RecentMap } from '../recent-map.ts';

/** Pages that a click can do harm on, at the places where the mocks have theirs. */
const DECIDING: ReadonlySet<string> = new Set(['claim_page', 'sign_in', 'connections']);

export const framedPages: PassiveRule = {
  id: 'framed-pages',
  requirements: [{ id: 'BCP-02', level: 'must', by: 'service' }],
  finds: 'lets other sites frame a page on which users sign in or decide',
  spares: 'pages that no claim of this traffic led to',
  watch: () => {
    /** The pages that claims lead to. */
    const links = new RecentMap<string, true>();
    return ({ exchange, step }) => {
      const { method, response, status, to, url } = exchange;
      if (to !== 'service') return [];
      for (const [name, value] of eachMember(response.body)) {
        if (name.startsWith('verification_uri') && typeof value === 'string')
          links.set(value, true);
      }
      const isPage = method === 'GET' && status === 200 && response.bodyState === 'page';
      if (!isPage || !(DECIDING.has(step) || links.has(url))) return [];
      const { 'content-security-policy': policy = '', 'x-frame-options': options } =
        response.headers;
      if (/\bframe-ancestors\b/i.test(policy) || options !== undefined) return [];
      const message =
        'A page for users can be framed by other sites: it has neither `frame-ancestors` nor `X-Frame-Options`.';
      return [{ requirement: 'BCP-02', message }];
    };
  },
};

export const linkContents: PassiveRule = {
  id: 'link-contents',
  requirements: [
    { id: 'DEV-11', level: 'should', by: 'service' },
    { id: 'DEV-14', level: 'should', by: 'service' },
  ],
  finds: 'puts the code, or the claim token, into the link that it has shown to the user',
  spares: '`verification_uri_complete`, which is to have the code in it',
  sees: ({ exchange }) => {
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
      message: 'The `verification_uri` contains the claim_token, which only the agent is to know.',
    };
    return [...(isThere('user_code') ? [code] : []), ...(isThere('claim_token') ? [token] : [])];
  },
};
