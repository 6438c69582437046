import { TestUser } from '../../support/test-user.ts';
import type { Printed } from './reader.ts';

/** Where a user has to go, and with which code. */
export interface Handover {
  readonly page: string;
  readonly code: string;
  readonly email: string;
}

const SOMEBODY = 'alice@example.com';

/** What a program shows for its user, while it waits for them. */
export function waitsForUser({ all }: Printed): Handover | undefined {
  const [, who = ''] = /^Waiting for (.+), .+ left$/m.exec(all) ?? [];
  if (who === '') return undefined;
  return {
    page: [...all.matchAll(/^http\S+$/gm)].map(([url]) => url).at(-1) ?? '',
    code: [...all.matchAll(/^Code {2}(.+)$/gm)].at(-1)?.[1]?.replaceAll(/[ -]/g, '') ?? '',
    email: who.includes('@') ? who : SOMEBODY,
  };
}

/**
 * Signs in, types the code and approves, by the forms of the pages.
 * @throws Error where a page has no such form, or the last one does not say that it is done.
 */
export async function approve(handover: Handover, there: (url: string) => string): Promise<void> {
  const user = new TestUser((request) => fetch(request));
  let page = await user.openSignedIn(there(handover.page), handover.email);
  for (let step = 0; step < 4; step += 1) {
    const form = page.document
      .querySelectorAll('form')
      .find((each) => each.querySelector('[name=user_code], [name=decision]') !== null);
    const action = form?.getAttribute('action');
    if (action === undefined) return;
    page = await user.submit(page, action, { user_code: handover.code, decision: 'approve' });
    if (page.response.status >= 400) throw new Error(`${page.url}: ${page.text}`);
    if (page.url.includes('/login')) {
      page = await user.submit(page, '/login', { email: handover.email });
    }
  }
}
